// Whose phone this is now. What the field page keeps is sealed under that account's key; whoever signs out, or in as
// somebody else, takes the key off the phone. What waits stays sealed until its owner signs in again.
"use strict";

window.provenderField = (() => {
  const MARK = "provender-field-account";
  const KEYS = "provender-field-keys";
  const read = () => { try { return localStorage.getItem(MARK) || ""; } catch { return ""; } };

  function become(account) {
    if (account === read()) return;
    try { if (account) localStorage.setItem(MARK, account); else localStorage.removeItem(MARK); } catch { return; }
    if (window.indexedDB) indexedDB.deleteDatabase(KEYS);
  }

  const seen = document.body.dataset.account;
  if (seen) become(seen);
  document.addEventListener("submit", (event) => {
    if (new URL(event.target.action, location.href).pathname.endsWith("/account/logout/")) become("");
  });
  return { account: read, become, KEYS };
})();
