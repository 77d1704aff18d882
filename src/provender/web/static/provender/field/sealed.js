// What the phone keeps: every record, photograph, draft and form sealed with AES-GCM. The key lies beside them and cannot be
// taken out by a script, but a script of this address can use it, and so can whoever unlocks the phone while this account is
// signed in. It protects what is left of the data once somebody has signed out, and nothing else.
"use strict";

(() => {
  const field = window.provenderField;
  const STORES = ["books", "deeds", "drafts"];

  function opened(name, stores) {
    return new Promise((done, wrong) => {
      const asked = indexedDB.open(name, 1);
      asked.onupgradeneeded = () => stores.forEach((store) => asked.result.createObjectStore(store, { keyPath: "id" }));
      asked.onsuccess = () => { asked.result.onversionchange = () => asked.result.close(); done(asked.result); };
      asked.onerror = () => wrong(asked.error);
    });
  }

  async function within(base, stores, store, mode, deed) {
    const database = await opened(base, stores);
    try {
      return await new Promise((done, wrong) => {
        const work = database.transaction(store, mode, { durability: "strict" });
        const asked = deed(work.objectStore(store));
        work.oncomplete = () => done(asked.result);
        work.onerror = work.onabort = () => wrong(work.error || new Error("The phone has no room left."));
      });
    } finally {
      database.close();
    }
  }

  const kept = (store, mode, deed) => within("provender-field", STORES, store, mode, deed);
  const keys = (mode, deed) => within(field.KEYS, ["keys"], "keys", mode, deed);

  async function keyOf(account) {
    const found = await keys("readonly", (store) => store.get(account));
    return found ? found.key : null;
  }

  async function keepKey(account, text) {
    if (await keyOf(account)) return;
    const raw = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const key = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);
    await keys("readwrite", (store) => store.put({ id: account, key }));
  }

  const named = (id) => new TextEncoder().encode(id);

  async function seal(account, id, bytes) {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const key = await keyOf(account);
    if (!key) throw new Error("Nobody is signed in on this phone. Sign in once with a network, then go out.");
    return { iv, sealed: await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: named(id) }, key, bytes) };
  }

  async function unseal(account, id, one) {
    const key = await keyOf(account);
    if (!key) throw new Error("The key of this account is not on this phone.");
    return crypto.subtle.decrypt({ name: "AES-GCM", iv: one.iv, additionalData: named(id) }, key, one.sealed);
  }

  // One row: what may be read by whoever holds the phone (whose, which farm, how far) stands open, the rest is sealed.
  async function put(store, account, id, open, closed, file) {
    const row = { ...open, id, account, body: await seal(account, id, named(JSON.stringify(closed))) };
    if (file) row.file = file.sealed ? file : await seal(account, `${id} file`, file);
    await kept(store, "readwrite", (where) => where.put(row));
    return row;
  }

  async function opening(row) {
    return JSON.parse(new TextDecoder().decode(await unseal(row.account, row.id, row.body)));
  }

  // Null where this phone's key does not open the row: one such row never holds up the others.
  const openingOr = (row) => opening(row).catch(() => null);

  const get = (store, id) => kept(store, "readonly", (where) => where.get(id));
  const remove = (store, id) => kept(store, "readwrite", (where) => where.delete(id));
  async function mine(store) {
    const all = await kept(store, "readonly", (where) => where.getAll());
    return all.filter((row) => row.account === field.account());
  }
  async function mark(store, id, open) {
    const row = await get(store, id);
    if (row) await kept(store, "readwrite", (where) => where.put({ ...row, ...open }));
  }
  const fileOf = (row) => unseal(row.account, `${row.id} file`, row.file);

  field.store = { put, get, mine, remove, mark, opening, openingOr, fileOf, keepKey, keyOf };
})();
