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
