// The queue: each deed goes to the server in its order, once, and shows what became of it.
"use strict";

(() => {
  const field = window.provenderField;
  const store = field.store;
  const PATIENCE = 60000;
  const shut = new Set(); // names of deeds that this phone's key did not open at the last try

  // Who is signed in, by the server: null without a network, and an empty account where the sign-in has ended.
  async function now() {
    try {
      const answer = await fetch("/field/now", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
      if (answer.status === 401) return { account: "" };
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  async function save(deed, file) {
    const id = crypto.randomUUID();
    const open = { farm: deed.farm, state: "waiting", at: Date.now(), photo: Boolean(file) };
    await store.put("deeds", field.account(), id, open, deed, file);
    if (navigator.storage?.persist) navigator.storage.persist();
    return id;
  }

  async function packed(row, who) {
    const deed = await store.opening(row);
    const headers = { "X-CSRFToken": who.csrf, "X-Field-Account": row.account };
    let body;
    if (row.photo) {
      body = new FormData();
      const given = { id: row.id, unit_id: deed.unit_id, note: deed.note, shows: deed.shows || "", ...deed.moment };
      for (const [name, text] of Object.entries(given)) body.set(name, text);
      body.set("file", new Blob([await store.fileOf(row)], { type: deed.type }), deed.file);
    } else {
      headers["Content-Type"] = "application/json";
      const { kind, key, seen, row: texts, why, moment, looked = false } = deed;
      body = JSON.stringify({ id: row.id, kind, key, seen, row: texts, why, moment, looked });
    }
    return { method: "POST", headers, body, redirect: "manual" };
  }

  // What the server's answer makes of a deed. Nothing is ever dropped: what is not sent waits, or says why it does not go.
  async function settle(row, answer) {
    if (answer.type === "opaqueredirect") return "signed out";
    const reply = (answer.headers.get("Content-Type") || "").includes("json") ? await answer.json() : null;
    if (answer.ok && reply) {
      await store.mark("deeds", row.id, { state: "sent", file: null });
      if (!row.photo) await told(row, "sent", { key: reply.key }).catch(() => {}); // sent it is, even where nothing can be sealed now
    } else if (answer.status === 409 && reply && "now" in reply) {
      await told(row, "conflict", { problems: reply.problems, now: reply.now, mark: reply.seen, key: reply.key });
    } else if (answer.status === 409 && reply?.asked) {
      await told(row, "asked", { problems: reply.problems });
    } else if (reply?.problems) {
      await told(row, "refused", { problems: reply.problems });
    } else if (answer.status === 404 || answer.status === 413) {
      const why = answer.status === 404 ? "You may no longer write for this farm." : "It is larger than the server takes.";
      await told(row, "refused", { problems: [{ column: "", text: why }] });
    } else {
      return "later";
    }
    return "";
  }

  // The deed keeps its bytes; only what is said of it changes.
  async function told(row, state, answer) {
    const deed = { ...(await store.opening(row)), answer };
    await store.put("deeds", row.account, row.id, { farm: row.farm, state, at: row.at, photo: row.photo }, deed, row.file);
  }

  async function sendAll(who, changed) {
    const waiting = (await store.mine("deeds")).filter((row) => row.state === "waiting").sort((a, b) => a.at - b.at);
    for (const row of waiting) {
      if (row.account !== who.account) return "other";
      let given;
      try {
        given = await packed(row, who);
        shut.delete(row.id);
      } catch {
        shut.add(row.id);
        continue;
      }
      let answer;
      try {
        answer = await fetch(`/o/${row.farm}/farm/field/`, given);
      } catch {
        return "no network";
      }
      const stopped = await settle(row, answer);
      await changed();
      if (stopped === "signed out") return stopped; // anything else is this deed's own: the others still go
    }
    return "";
  }

  // One page of this phone sends at a time.
  function send(who, changed) {
    if (!navigator.locks) return sendAll(who, changed);
    return navigator.locks.request("provender-field", () => sendAll(who, changed));
  }

  field.queue = { now, save, send, shut };
})();
