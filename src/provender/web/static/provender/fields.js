// Fields that what was chosen makes idle leave the form; what is filled or wrong stays. Without this script all stand.
"use strict";

// A press on a button first ends the writing in a box. What that shows or hides would move the button away before the press
// is over, and the click would be lost: it waits for the end of it.
const afterClick = (() => {
  let held = false;
  const waiting = [];
  const over = () => {
    held = false;
    setTimeout(() => { if (!held) for (const deed of waiting.splice(0)) deed(); });
  };
  for (const kind of ["pointerdown", "mousedown"]) document.addEventListener(kind, () => { held = true; }, true);
  for (const kind of ["pointerup", "pointercancel", "mouseup", "dragend", "keydown"]) document.addEventListener(kind, over, true);
  return (deed) => { if (held) waiting.push(deed); else deed(); };
})();

window.provenderFields = (form) => {
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
  all.textContent = idle === 1 ? "Show 1 field that does not apply here" : `Show ${idle} fields that do not apply here`;
};

document.addEventListener("change", (event) => { const form = event.target.form; if (form?.querySelector("[data-when]")) afterClick(() => window.provenderFields(form)); });
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

// An error speaks of the value that was refused: it goes once that is another one.
for (const box of document.querySelectorAll(".field.wrong")) {
  const values = () => JSON.stringify([...box.querySelectorAll("input, select, textarea")].map((one) => (["checkbox", "radio"].includes(one.type) ? one.checked : one.value)));
  const refused = values();
  const look = () => {
    if (values() === refused) return;
    box.classList.remove("wrong");
    box.querySelector(":scope > .error")?.remove();
    for (const one of box.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
    for (const kind of ["input", "change"]) box.removeEventListener(kind, look);
  };
  for (const kind of ["input", "change"]) box.addEventListener(kind, look);
}

// A name that its list does not know is taken, and may count for nothing: whoever typed it hears so, with the nearest ones.
// A listed name is found by its words in any order, each by its beginning, and by the Spanish names that it is known by.
(() => {
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const wordsOf = (text) => plain(text).match(/[\p{L}\p{N}%]+/gu) || [];
  const begins = (word, each) => each.startsWith(word) || (word.length > 3 && word.endsWith("s") && each.startsWith(word.slice(0, -1)));

  // A list that alone is taken is shown here whole, over what is below: the browser's own knows no words beside a name.
  for (const input of document.querySelectorAll("input[list^='picks-']")) {
    if (!input.list?.dataset.only) continue;
    input.dataset.list = input.getAttribute("list");
    input.removeAttribute("list");
  }
  const listOf = (input) => input.list || document.getElementById(input.dataset.list);

  function named(list, typed) {
    const [all, joining] = [wordsOf(typed), wordsOf(list.dataset.joining || "")];
    const telling = all.filter((word) => !joining.includes(word));
    const sought = telling.length ? telling : all;
    const found = [...list.options].map((one) => ({ one, words: wordsOf(`${one.value} ${one.label} ${one.dataset.words || ""}`) }))
      .filter(({ words }) => sought.length && sought.every((word) => words.some((each) => begins(word, each))));
    // A listed name stands before one that only this book has, a near one before a far one, a whole word before a beginning (rye, ryegrass), and the
    // name that says least besides before the others: with all words typed, that is the one that has no others.
    const ranked = ({ one, words }) => ["own" in one.dataset ? 1 : Number(one.dataset.far || 0), sought.filter((word) => !words.includes(word)).length, wordsOf(one.value).length];
    return found.map((each) => ({ one: each.one, rank: ranked(each) }))
      .sort((a, b) => a.rank.map((part, n) => part - b.rank[n]).find((less) => less) || 0).map(({ one }) => one);
  }

  // Words first, then a button for each name. A pointer on one leaves the box as it is, or its name would move away under it.
  function offered(input, near, over) {
    const told = Object.assign(document.createElement("div"), { className: over ? "help unlisted over" : "help unlisted" });
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
    if (over) input.closest(".field").append(told);
    else (input.closest(".unit") || input).after(told);
    return told;
  }

  window.provenderUnlisted = (input, typing = false) => {
    const box = input.closest(".field");
    const before = box?.querySelector("[data-unlisted]");
    const list = listOf(input);
    const options = [...(list?.options || [])];
    const only = list?.dataset.only;
    const typed = input.value.trim();
    // A common name of one species is recorded as the list has it: nothing is to be asked.
    const listed = options.some((one) => [one.value, ...(one.dataset.also || "").split("|")].some((name) => name.toLowerCase() === typed.toLowerCase()));
    // Whoever left the box of such a list is past choosing: a line is said, and no list pushes away what is clicked next.
    const near = box && typed && !listed && (typing || !only) ? named(list, typed).slice(0, 8) : [];
    // While somebody types, the browser itself shows what has these letters in this order.
    const shown = typing && !only && options.some((one) => `${one.value} ${one.label}`.toLowerCase().includes(typed.toLowerCase()));
    if (!box || !typed || !options.length || listed || (typing && (shown || !near.length))) { before?.remove(); return; }
    const same = before && before.classList.contains("over") === Boolean(only && typing) && before.dataset.unlisted === near.map((one) => one.value).join("|");
    if (!same) before?.remove();
    const told = same ? before : offered(input, near, only && typing);
    if (typing) told.firstChild.textContent = "Of the list:";
    else if (near.length) told.firstChild.textContent = `This list has no “${typed}”. Did you mean:`;
    // Where nothing else is taken, one's own is not offered: what is, says the list itself.
    else if (only) told.firstChild.textContent = `This list has no “${typed}”. ${only}`;
    else told.firstChild.textContent = `This list has no “${typed}”. Choose a name of the list, or go on with your own.`;
  };

  const picked = "input:is([list^='picks-'], [data-list^='picks-'])";
  document.addEventListener("change", (event) => {
    if (!event.target.matches?.(picked)) return;
    afterClick(() => { if (event.target.isConnected) window.provenderUnlisted(event.target); });
  });
  document.addEventListener("input", (event) => { if (event.isTrusted && event.target.matches?.(picked)) window.provenderUnlisted(event.target, true); });
  const closes = (box) => box?.querySelector(".unlisted.over")?.remove();
  document.addEventListener("focusout", (event) => {
    const box = event.target.closest?.(".field");
    if (!box?.contains(event.relatedTarget)) closes(box);
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") closes(event.target.closest?.(".field")); });
  // A form that comes back with a question, or one that a phone opens again, says so at once; one that was refused said it.
  document.querySelectorAll(picked).forEach((input) => { if (!listOf(input)?.dataset.only) window.provenderUnlisted(input); });
})();
