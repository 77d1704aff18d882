// Fields that what was chosen makes idle leave the form; what is filled or wrong stays. Without this script all stand.
"use strict";

window.provenderFields = (form) => {
  const said = window.provenderSaid;
  let idle = 0;
  for (const box of form.querySelectorAll("[data-when]")) {
    const asks = form.elements[box.dataset.when];
    if (!asks) continue;
    const said = box.dataset.words.toLowerCase().split("|").includes(asks.value.trim().toLowerCase());
    const inside = [...box.querySelectorAll("input, select, textarea")];
    const filled = inside.some((one) => (one.type === "checkbox" ? one.checked : one.value.trim()));
    const leaves = said === ("hides" in box.dataset) && !filled && !box.classList.contains("wrong");
    box.hidden = leaves && !form.dataset.all;
    idle += leaves && !box.closest("details:not([open])") ? 1 : 0;
  }
  let all = form.querySelector("[data-idle]");
  if (!all && idle) {
    all = document.createElement("button");
    Object.assign(all, { type: "button", className: "link idle" });
    all.dataset.idle = "";
    all.addEventListener("click", () => { form.dataset.all = "yes"; window.provenderFields(form); });
    const last = form.querySelector("button[type=submit]");
    (last.closest(".actions") || last).before(all);
  }
  if (!all) return;
  all.hidden = !idle || Boolean(form.dataset.all);
  all.textContent = idle === 1 ? said`Show 1 field that does not apply here` : said`Show ${idle} fields that do not apply here`;
};

document.addEventListener("change", (event) => { if (event.target.form?.querySelector("[data-when]")) window.provenderFields(event.target.form); });
document.addEventListener("toggle", (event) => { const form = event.target.closest?.("form"); if (form?.querySelector("[data-when]")) window.provenderFields(form); }, true);
document.querySelectorAll("form:has([data-when])").forEach(window.provenderFields);

// A name that its list does not know is taken, and may count for nothing: whoever typed it hears so, with the nearest ones.
window.provenderUnlisted = (input) => {
  const said = window.provenderSaid;
  const box = input.closest(".field");
  box?.querySelector("[data-unlisted]")?.remove();
  const names = [...(input.list?.options || [])].map((one) => one.value);
  const typed = input.value.trim().toLowerCase();
  if (!box || !typed || !names.length || names.some((one) => one.toLowerCase() === typed)) return;
  const near = names.filter((one) => typed.split(/\s+/).every((word) => one.toLowerCase().includes(word))).slice(0, 5);
  const told = Object.assign(document.createElement("div"), { className: "help unlisted" });
  told.dataset.unlisted = "";
  told.setAttribute("role", "status");
  told.append(near.length ? said`This list has no “${input.value.trim()}”. Did you mean:` : said`This list has no “${input.value.trim()}”. Choose a name of the list, or go on with your own.`);
  for (const name of near) {
    const choose = Object.assign(document.createElement("button"), { type: "button", className: "link", textContent: name });
    choose.addEventListener("click", () => {
      input.value = name;
      told.remove();
      for (const kind of ["input", "change"]) input.dispatchEvent(new Event(kind, { bubbles: true }));
      input.focus();
    });
    told.append(" ", choose);
  }
  (input.closest(".unit") || input).after(told);
};

document.addEventListener("change", (event) => { if (event.target.matches?.("input[list^='picks-']")) window.provenderUnlisted(event.target); });
