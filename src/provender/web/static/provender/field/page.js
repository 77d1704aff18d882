// The field page itself: what can be recorded, what waits, what came of it.
"use strict";

(() => {
  const field = window.provenderField;
  const { store, queue, forms } = field;
  const at = (id) => document.getElementById(id);
  const WORDS = { waiting: "Waiting", sent: "Sent", refused: "Refused", conflict: "Changed meanwhile", asked: "Asks you" };
  const LOOKS = { waiting: "waiting", sent: "met", refused: "not-met", conflict: "not-shown", asked: "not-shown" };
  const MINUTE = 60000;
  let book = null;
  let who = null;
  let busy = false;
  let again = false;

  function element(name, has = {}, ...children) {
    const made = Object.assign(document.createElement(name), has);
    made.append(...children);
    return made;
  }
  const say = (words) => { at("state").textContent = words; };
  const button = (text, deed) => element("button", { type: "button", className: "quieter", textContent: text, onclick: deed });

  // What this account took along, by farm; the address names the farm that was asked for.
  async function books() {
    return (await Promise.all((await store.mine("books")).map(store.openingOr))).filter(Boolean);
  }

  async function choose(handle) {
    const found = await books();
    book = found.find((one) => one.handle === handle) || found[0] || null;
    at("farm").textContent = book ? book.name : "";
    at("farms").replaceChildren(...found.filter((one) => one !== book).map((one) => button(one.name, () => { location.hash = one.handle; })));
    at("what").hidden = at("bar").hidden = !book;
    if (book) for (const link of document.querySelectorAll("[data-of-farm]")) link.href = link.dataset.ofFarm.replace("FARM", book.handle);
    if (!book) return;
    at("kinds").replaceChildren(...book.kinds.filter((kind) => kind.first).map((kind) => button(kind.label, () => record(kind))));
    const more = at("more");
    more.replaceChildren(new Option("Another record …", ""), ...book.kinds.filter((kind) => !kind.first).map((kind) => new Option(kind.label, kind.name)));
    const rows = at("rows");
    rows.replaceChildren(new Option("Correct a record …", ""));
    for (const kind of book.kinds.filter((one) => one.rows.length)) {
      const group = element("optgroup", { label: kind.label });
      const words = wordsOf(kind);
      kind.rows.forEach((row, n) => group.append(new Option(words[n], JSON.stringify([kind.name, row.key]))));
      rows.append(group);
    }
  }

  const firstOf = (texts, but, words = (text) => text) => Object.entries(texts).filter(([name, text]) => text && !but.includes(name)).slice(0, 3).map(([, text]) => words(text)).join(", ");
  // A row by where, when and what; the number we gave it tells only two apart that say the same.
  function wordsOf(kind) {
    const what = kind.rows.map((row) => firstOf(row.texts, ["farm_id", ...kind.own], spoken));
    const alike = (text) => what.filter((one) => one === text).length > 1;
    return kind.rows.map((row, n) => {
      if (!kind.numbered || !what[n]) return what[n] ? `${row.called}: ${what[n]}` : row.called;
      return alike(what[n]) ? `${what[n]} (${row.called})` : what[n];
    });
  }
  function spoken(text) {
    if (!/^\d{4}-\d\d-\d\d$/.test(text)) return text.replaceAll("_", " ");
    return new Date(`${text}T12:00`).toLocaleDateString(document.documentElement.lang, { year: "numeric", month: "short", day: "numeric" });
  }
  const kindOf = (name) => book.kinds.find((one) => one.name === name);

  async function added() {
    const names = {};
    for (const row of await store.mine("deeds")) {
      if (row.farm !== book.handle || row.photo || row.state === "sent") continue;
      const deed = await store.openingOr(row);
      if (!deed) continue;
      const own = kindOf(deed.kind)?.own || [];
      if (!deed.key && own.length === 1 && deed.row[own[0]]) (names[deed.kind] ||= []).push(deed.row[own[0]]);
    }
    return names;
  }

  // A half-filled form outlives a reload: it is kept, sealed, while somebody types.
  const draftId = (kind, key) => `${field.account()} ${book.handle} ${kind} ${key || ""}`;
  const draftOfForm = (form) => draftId(form.dataset.kind, form.dataset.key);
  function keepDraft(form) {
    let later = 0;
    form.addEventListener("input", () => {
      clearTimeout(later);
      later = setTimeout(() => store.put("drafts", field.account(), draftOfForm(form), {}, forms.textsOf(form)).catch(() => {}), 250);
    });
    form.addEventListener("submit", () => clearTimeout(later));
  }
  async function draftOf(kind, key) {
    const row = await store.get("drafts", draftId(kind.name, key));
    return row && store.keyOf(row.account).then((key) => (key ? store.openingOr(row) : null));
  }

  // A record may name one that is not there yet: write that first, then go on with what was typed.
  function leads(shown, kind, given, replaces) {
    shown.addEventListener("click", (event) => {
      const link = event.target.closest("[data-adds]");
      const other = link && kindOf(link.dataset.adds);
      if (!other) return;
      event.preventDefault();
      const { why, ...texts } = forms.textsOf(shown);
      const column = Object.keys(kind.refers).find((name) => kind.refers[name] === other.name);
      const back = (key) => record(kind, { ...given, why, texts: { ...given.texts, ...texts, [column]: key || texts[column] }, afresh: true }, replaces);
      record(other, { texts: { unit_id: texts.unit_id }, back });
    });
  }

  async function record(kind, given = {}, replaces = "") {
    const known = { units: book.units, added: await added() };
    // Read before the form is there: what is typed into it is kept from its first letter, and nothing takes its place.
    const draft = replaces || given.afresh ? null : await draftOf(kind, given.key);
    const half = draft ? { texts: { ...given.texts, ...draft }, why: draft.why } : {};
    const shown = forms.row(kind, { ...given, ...half, ...known });
    shown.querySelectorAll("input[list]").forEach((input) => window.provenderUnlisted(input));
    keepDraft(shown);
    leads(shown, kind, given, replaces);
    shown.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (shown.dataset.busy) return;
      const { why = "", ...row } = forms.textsOf(shown);
      if (given.key) kind.own.forEach((name) => { row[name] = given.texts[name]; }); // the form of a numbered kind hides its number
      const short = kind.own.length === 1 && row[kind.own[0]] ? row[kind.own[0]] : firstOf(row, []);
      if (forms.lacks(shown)) { at("told").textContent = "Nothing is kept yet: fill in what is needed."; return; }
      if (given.key && !why) { at("told").textContent = "Say why it is corrected."; return; }
      shown.dataset.busy = "yes";
      const kept = await keep({ farm: book.handle, kind: kind.name, label: kind.label, key: given.key || "", seen: given.seen || "", row, why, short, moment: await forms.moment() }, null, shown, replaces);
      if (kept && given.back) given.back(row[kind.own[0]]);
    });
  }

  async function photograph(texts = {}) {
    const form = forms.photograph(book.units, book.covers || [], texts);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (form.dataset.busy) return;
      const [file] = form.elements.file.files;
      if (!file) { at("told").textContent = "Take the photograph first."; return; }
      if (who?.most && file.size > who.most) { at("told").textContent = "The photograph is larger than the server takes. Make it smaller."; return; }
      const { unit_id, note, shows } = forms.textsOf(form);
      const name = file.name || "photograph.jpg";
      form.dataset.busy = "yes";
      keep({ farm: book.handle, label: "Photograph", short: unit_id || shows || name, unit_id, note, shows, file: name, type: file.type, moment: await forms.moment() }, await file.arrayBuffer(), form, "");
    });
  }

  async function keep(deed, file, form, replaces) {
    try {
      await queue.save(deed, file);
      if (replaces) await store.remove("deeds", replaces);
      if (form.dataset.kind) await store.remove("drafts", draftOfForm(form));
    } catch (wrong) {
      at("told").textContent = `It is not kept: ${wrong.message || "the phone has no room left"}. The form stays as it is.`;
      delete form.dataset.busy;
      return false;
    }
    forms.close();
    at("told").textContent = `Kept on this phone: ${deed.label.toLowerCase()}.`;
    await list();
    sync();
    return true;
  }

  // A conflict is for a person: both rows side by side, and what to do with one's own.
  function compared(row, deed) {
    const kind = kindOf(deed.kind);
    const { now, mark, key } = deed.answer;
    const differ = Object.keys(kind.columns).filter((name) => (deed.row[name] || "") !== ((now || {})[name] || "") && (name in deed.row));
    const lines = differ.map((name) => element("div", {}, element("dt", { textContent: kind.columns[name] }),
      element("dd", { textContent: `here ${deed.row[name] || "nothing"}; on the server ${now ? now[name] || "nothing" : "removed"}` })));
    const over = { ...deed, key, seen: mark, why: deed.why || "Recorded in the field; kept over a change made meanwhile" };
    delete over.answer;
    return [element("dl", { className: "facts" }, ...lines), element("p", { className: "actions" },
      button("Keep the server's", async () => { await store.remove("deeds", row.id); await list(); }),
      button(now ? "Write mine over it" : "Put mine back", async () => {
        await queue.save(now ? over : { ...over, key: "", seen: "" }, null);
        await store.remove("deeds", row.id);
        await list();
        sync();
      }))];
  }

  const mending = (row, deed) => button("Open and mend it", () => record(kindOf(deed.kind), { key: deed.key, seen: deed.seen, texts: deed.row, why: deed.why }, row.id));

  // A question goes back with its answer, under the name that the deed has: nothing of it is written yet.
  function asked(row, deed) {
    const right = button("It is right as it is", async () => {
      const { answer, ...same } = deed;
      await store.put("deeds", row.account, row.id, { farm: row.farm, state: "waiting", at: row.at, photo: false }, { ...same, looked: true });
      await list();
      sync();
    });
    return [element("p", { className: "actions" }, right, mending(row, deed), thrown(row))];
  }

  function refused(row, deed) {
    const mend = mending(row, deed);
    const again = button("Send it again", async () => { await store.mark("deeds", row.id, { state: "waiting" }); await list(); sync(); });
    return [element("p", { className: "actions" }, ...(row.photo ? [again] : [mend]), thrown(row))];
  }

  const thrown = (row) => button("Throw it away", async () => { await store.remove("deeds", row.id); await list(); });

  async function one(row) {
    const deed = queue.shut.has(row.id) ? null : await store.openingOr(row);
    const when = new Date(row.at).toLocaleString(document.documentElement.lang, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
    const [looks, words] = deed ? [LOOKS[row.state], WORDS[row.state]] : ["not-met", "Not readable"];
    const item = element("li", {}, element("p", {}, element("strong", { textContent: deed?.label || "Record" }), ` ${deed?.short || ""} · ${when} `,
      element("span", { className: `chip ${looks}`, textContent: words })));
    item.dataset.state = deed ? row.state : "shut";
    if (!deed) {
      item.append(element("p", { className: "small", textContent: "It cannot be opened with this phone's key." }), element("p", { className: "actions" }, thrown(row)));
      return item;
    }
    for (const problem of deed.answer?.problems || []) {
      const label = book && deed.kind ? kindOf(deed.kind)?.columns[problem.column] : "";
      item.append(element("p", { className: "small", textContent: `${label ? `${label}: ` : ""}${problem.text}` }));
    }
    if (book?.handle === row.farm && ["conflict", "refused", "asked"].includes(row.state) && !row.photo && !kindOf(deed.kind)) {
      item.append(element("p", { className: "small", textContent: "This page knows no such record any more." }), element("p", { className: "actions" }, thrown(row)));
      return item;
    }
    const mix = row.state === "sent" && deed.kind === "cover_crop" && deed.answer?.key && book?.handle === row.farm && kindOf("cover_species");
    if (mix) item.append(element("p", { className: "actions" }, button("Add the species", () => record(mix, { texts: { cover_id: deed.answer.key } }))));
    if (book?.handle === row.farm && row.state === "conflict") item.append(...compared(row, deed));
    if (book?.handle === row.farm && row.state === "refused") item.append(...refused(row, deed));
    if (book?.handle === row.farm && row.state === "asked") item.append(...asked(row, deed));
    return item;
  }

  async function list() {
    const rows = (await store.mine("deeds")).sort((a, b) => b.at - a.at);
    const open = (await store.keyOf(field.account())) !== null;
    at("queue").replaceChildren(...(open ? await Promise.all(rows.map(one)) : []));
    const waits = rows.filter((row) => row.state !== "sent").length;
    at("count").textContent = waits ? `${waits} not sent yet` : "Everything is sent";
    at("nothing").hidden = rows.length > 0;
    at("clear").hidden = !rows.some((row) => row.state === "sent");
    return rows;
  }

  async function takeAlong() {
    await store.keepKey(who.account, who.key);
    const wanted = new Set(who.farms.map((one) => one.handle));
    for (const { handle } of who.farms) {
      const row = await store.get("books", `${who.account} ${handle}`);
      const have = (row && (await store.openingOr(row))?.mark) || "";
      const answer = await fetch(`/o/${handle}/farm/field/book/?have=${have}`, { cache: "no-store", redirect: "manual" });
      if (answer.status !== 200) continue;
      await store.put("books", who.account, `${who.account} ${handle}`, { farm: handle }, await answer.json());
    }
    for (const row of await store.mine("books")) if (!wanted.has(row.farm)) await store.remove("books", row.id);
  }

  async function sync() {
    again = true; // what is kept while something is being sent goes right after it
    if (busy) return;
    busy = true;
    try {
      while (again) await syncOnce();
    } finally {
      busy = false;
    }
  }

  async function syncOnce() {
    again = false;
    try {
      who = await queue.now();
      if (who?.account) await signedIn();
      else tellWhy();
    } catch (wrong) {
      say(`Not everything is sent: ${wrong.message}`);
    }
  }

  function tellWhy() {
    at("sign-in").hidden = who === null;
    say(who === null ? "No network. What you record waits on this phone." : "The sign-in has ended. What you recorded stays on this phone until you sign in again.");
  }

  async function signedIn() {
    field.become(who.account);
    at("sign-in").hidden = true;
    await store.keepKey(who.account, who.key);
    const stopped = await queue.send(who, list);
    if (stopped) who = stopped === "no network" ? null : { account: "" };
    if (stopped) { tellWhy(); await list(); return; }
    await takeAlong();
    if (at("recording").hidden) await choose(location.hash.slice(1));
    await list();
    const whole = await ready();
    const no = book ? "" : "Open the record book of your farm first.";
    say([`You are ${who.name}.`, no, whole ? "This phone is ready for the field." : "This phone is not ready for the field yet."].filter(Boolean).join(" "));
  }

  // Ready only when the page itself would open without a network.
  async function ready() {
    if (!navigator.serviceWorker) return false;
    await Promise.race([navigator.serviceWorker.ready, new Promise((done) => { setTimeout(done, 5000); })]);
    return Boolean(await caches.match("/field/"));
  }

  async function begin() {
    if (!window.isSecureContext || !window.indexedDB) {
      say("This page keeps records only over https. Ask whoever runs the server for its https address.");
      return;
    }
    navigator.serviceWorker?.register("/field/worker.js", { scope: "/field/" }).catch(() => {});
    if (await store.keyOf(field.account())) await choose(location.hash.slice(1));
    await list();
    await sync();
  }

  document.addEventListener("click", (event) => { if (event.target.closest("[data-close]")) forms.close(); });
  at("photo").addEventListener("click", () => photograph());
  at("more").addEventListener("change", (event) => { if (event.target.value) record(kindOf(event.target.value)); event.target.value = ""; });
  at("rows").addEventListener("change", (event) => {
    if (!event.target.value) return;
    const [name, key] = JSON.parse(event.target.value);
    const kind = kindOf(name);
    record(kind, kind.rows.find((row) => row.key === key));
    event.target.value = "";
  });
  at("send").addEventListener("click", sync);
  at("clear").addEventListener("click", async () => {
    for (const row of await store.mine("deeds")) if (row.state === "sent") await store.remove("deeds", row.id);
    await list();
  });
  window.addEventListener("online", sync);
  window.addEventListener("offline", () => { who = null; tellWhy(); });
  window.addEventListener("hashchange", async () => { forms.close(); await choose(location.hash.slice(1)); await list(); });
  setInterval(async () => { if ((await store.mine("deeds")).some((row) => row.state === "waiting")) sync(); }, MINUTE);
  begin();
})();
