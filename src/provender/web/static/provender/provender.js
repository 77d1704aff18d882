// Small helpers; every page works without them.
"use strict";

document.documentElement.classList.add("js");

document.addEventListener("click", (event) => {
  const toggle = event.target.closest("[data-toggle]");
  if (toggle) {
    const open = toggle.getAttribute("aria-expanded") !== "true";
    toggle.setAttribute("aria-expanded", String(open));
    document.getElementById(toggle.dataset.toggle).classList.toggle("open", open);
  }
  if (event.target.closest("[data-menu]")) {
    event.preventDefault();
    const button = document.querySelector(".menu-button");
    if (button && button.getAttribute("aria-expanded") !== "true") button.click();
    window.scrollTo(0, 0);
    document.querySelector("#menu a").focus();
  }
  const copy = event.target.closest("[data-copy]");
  if (copy) {
    const field = document.getElementById(copy.dataset.copy);
    field.select();
    navigator.clipboard.writeText(field.value).then(() => { copy.textContent = "Copied"; }, () => {});
  }
});

// Whoever comes for the menu, from a page that has none, finds it open.
if (location.hash === "#menu") document.querySelector(".menu-button")?.click();

// The key / leads to the search, unless somebody is writing or has turned it off (the search page does).
const slash = { get off() { try { return localStorage.getItem("slash") === "off"; } catch { return false; } } };
for (const box of document.querySelectorAll("[data-slash]")) {
  box.checked = !slash.off;
  box.addEventListener("change", () => { try { localStorage.setItem("slash", box.checked ? "on" : "off"); } catch { /* kept for this page only */ } });
}
document.addEventListener("keydown", (event) => {
  const find = document.getElementById("find-all");
  const writes = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "/" && find && !writes && !slash.off && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    find.focus();
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = document.querySelector('[data-toggle][aria-expanded="true"]');
  if (open) { open.click(); open.focus(); }
});

// What was refused is met first, by eyes, keyboard and screen reader alike: the field says what is wrong with it.
const refused = document.querySelector(".form-errors, .wrong input:not([type=hidden]), .wrong select, .wrong textarea");
if (refused) refused.focus();

// Paper turns no pages: whoever prints one page of a long table gets all of its rows, fetched before the print begins.
window.addEventListener("beforeprint", () => {
  for (const link of document.querySelectorAll("[data-every]")) {
    const asked = new XMLHttpRequest();
    asked.open("GET", link.href, false); // the print does not wait for anything else
    try { asked.send(); } catch { continue; }
    if (asked.status !== 200) continue;
    const box = `[data-table="${link.dataset.every}"]`;
    const whole = new DOMParser().parseFromString(asked.responseText, "text/html").querySelector(box);
    if (!whole) continue;
    document.querySelector(box).replaceWith(document.adoptNode(whole));
    link.closest(".pages").remove();
  }
});

// One click, one deed: a form that is on its way is not sent again. One that may answer with a file can be.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if ("again" in form.dataset) return;
  if (form.dataset.sent) { event.preventDefault(); return; }
  form.dataset.sent = "yes";
  form.classList.add("sending");
});
window.addEventListener("pageshow", () => {
  document.querySelectorAll("form[data-sent]").forEach((form) => { delete form.dataset.sent; form.classList.remove("sending"); });
});
