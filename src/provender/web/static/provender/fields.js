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
    const last = form.querySelector("button[type=submit]:not([name=leave])");
    (last.closest(".actions") || last).before(all);
  }
  if (!all) return;
  all.hidden = !idle || Boolean(form.dataset.all);
  all.textContent = idle === 1 ? said`Show 1 field that does not apply here` : said`Show ${idle} fields that do not apply here`;
};

document.addEventListener("change", (event) => { if (event.target.form?.querySelector("[data-when]")) window.provenderFields(event.target.form); });
document.addEventListener("toggle", (event) => { const form = event.target.closest?.("form"); if (form?.querySelector("[data-when]")) window.provenderFields(form); }, true);
document.querySelectorAll("form:has([data-when])").forEach(window.provenderFields);

// A cover crop belongs to a crop of its own field: once a field is chosen, the entries of the others leave the list.
window.provenderEntries = (form) => {
  const unit = form.elements.unit_id?.value;
  const groups = [...(form.elements.harvest_id?.querySelectorAll?.("optgroup") || [])];
  const own = groups.filter((one) => one.label === unit);
  for (const one of groups) one.hidden = one.disabled = own.length > 0 && one.label !== unit && !one.querySelector(":checked");
};
document.addEventListener("change", (event) => { if (event.target.name === "unit_id" && event.target.form) window.provenderEntries(event.target.form); });
document.querySelectorAll("form:has(optgroup)").forEach(window.provenderEntries);

// A name that its list does not know is taken, and may count for nothing: whoever typed it hears so, with the nearest ones.
// A listed name is found by its words in any order, each by its beginning, and by the Spanish names that it is known by.
(() => {
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const wordsOf = (text) => plain(text).match(/[\p{L}\p{N}%]+/gu) || [];

  function named(list, typed) {
    const [all, joining] = [wordsOf(typed), wordsOf(list.dataset.joining || "")];
    const telling = all.filter((word) => !joining.includes(word));
    const sought = telling.length ? telling : all;
    const found = [...list.options].map((one) => ({ one, words: wordsOf(`${one.value} ${one.label} ${one.dataset.words || ""}`) }))
      .filter(({ words }) => sought.length && sought.every((word) => words.some((each) => each.startsWith(word))));
    // A listed name stands before one that only this book has, a whole word before a beginning (rye, ryegrass), and the
    // name that says least besides before the others: with all words typed, that is the one that has no others.
    const ranked = ({ one, words }) => ["own" in one.dataset ? 1 : 0, sought.filter((word) => !words.includes(word)).length, wordsOf(one.value).length];
    return found.map((each) => ({ one: each.one, rank: ranked(each) }))
      .sort((a, b) => a.rank.map((part, n) => part - b.rank[n]).find((less) => less) || 0).map(({ one }) => one);
  }

  // Words first, then a button for each name. A pointer on one leaves the box as it is, or its name would move away under it.
  function offered(input, near) {
    const told = Object.assign(document.createElement("div"), { className: "help unlisted" });
    told.dataset.unlisted = near.map((one) => one.value).join("|");
    told.setAttribute("role", "status");
    told.append("");
    told.addEventListener("mousedown", (event) => event.preventDefault());
    for (const one of near) {
      const choose = Object.assign(document.createElement("button"), { type: "button", className: "link", value: one.value, textContent: one.label || one.value });
      choose.addEventListener("click", () => {
        input.value = one.value;
        told.remove();
        for (const kind of ["input", "change"]) input.dispatchEvent(new Event(kind, { bubbles: true }));
        input.focus();
      });
      told.append(" ", choose);
    }
    (input.closest(".unit") || input).after(told);
    return told;
  }

  window.provenderUnlisted = (input, typing = false) => {
    const said = window.provenderSaid;
    const box = input.closest(".field");
    const before = box?.querySelector("[data-unlisted]");
    const options = [...(input.list?.options || [])];
    const typed = input.value.trim();
    // A common name of one species is recorded as the list has it: nothing is to be asked.
    const listed = options.some((one) => [one.value, ...(one.dataset.also || "").split("|")].some((name) => name.toLowerCase() === typed.toLowerCase()));
    const near = box && typed && !listed ? named(input.list, typed).slice(0, 8) : [];
    // While somebody types, the browser itself shows what has these letters in this order.
    const shown = typing && options.some((one) => `${one.value} ${one.label}`.toLowerCase().includes(typed.toLowerCase()));
    if (!box || !typed || !options.length || listed || (typing && (shown || !near.length))) { before?.remove(); return; }
    const same = before?.dataset.unlisted === near.map((one) => one.value).join("|");
    if (!same) before?.remove();
    const told = same ? before : offered(input, near);
    if (typing) told.firstChild.textContent = said`Of the list:`;
    else if (near.length) told.firstChild.textContent = said`This list has no “${typed}”. Did you mean:`;
    // Where nothing else is taken, one's own is not offered: what is, says the list itself.
    else if (input.list.dataset.only) told.firstChild.textContent = `${said`This list has no “${typed}”.`} ${input.list.dataset.only}`;
    else told.firstChild.textContent = said`This list has no “${typed}”. Choose a name of the list, or go on with your own.`;
  };

  const picked = "input[list^='picks-']";
  document.addEventListener("change", (event) => { if (event.target.matches?.(picked)) window.provenderUnlisted(event.target); });
  document.addEventListener("input", (event) => { if (event.isTrusted && event.target.matches?.(picked)) window.provenderUnlisted(event.target, true); });
  // A form that comes back with a question, or one that a phone opens again, says so at once.
  document.querySelectorAll(picked).forEach((input) => window.provenderUnlisted(input));
})();
