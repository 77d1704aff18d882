// The key of a farm producer or a verifier: made, sealed and used on this page. The server gets the public half, the sealed private half
// and signatures; neither the private key nor the passphrase ever leaves the browser.

const ROUNDS = 600000;
const KDF = "PBKDF2-SHA-256";
const CIPHER = "AES-256-GCM";
const LEAST_PASSPHRASE = 12;
const bytes = (text) => new TextEncoder().encode(text);

function base64url(buffer) {
  let text = "";
  for (const one of new Uint8Array(buffer)) text += String.fromCharCode(one);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64url(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

// RFC 8785 for what these statements hold: texts, lists, objects.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

async function hash(text) {
  const digest = await crypto.subtle.digest("SHA-256", bytes(text));
  return [...new Uint8Array(digest)].map((one) => one.toString(16).padStart(2, "0")).join("");
}

async function thumbprint(jwk) {
  return base64url(await crypto.subtle.digest("SHA-256", bytes(canonical(jwk))));
}

async function wrapping(passphrase, salt, rounds, use) {
  const material = await crypto.subtle.importKey("raw", bytes(passphrase.normalize("NFKC")), "PBKDF2", false, ["deriveKey"]);
  const how = { name: "PBKDF2", hash: "SHA-256", salt, iterations: rounds };
  return crypto.subtle.deriveKey(how, material, { name: "AES-GCM", length: 256 }, false, [use]);
}

async function makeKey(passphrase) {
  const pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  const { crv, kty, x } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const jwk = { crv, kty, x };
  const kid = await thumbprint(jwk);
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const under = await wrapping(passphrase, salt, ROUNDS, "wrapKey");
  const how = { name: "AES-GCM", iv, additionalData: bytes(kid) };
  const text = await crypto.subtle.wrapKey("pkcs8", pair.privateKey, under, how);
  const sealed = { kdf: KDF, rounds: ROUNDS, salt: base64url(salt), cipher: CIPHER, iv: base64url(iv), sealed: base64url(text) };
  return { jwk, kid, sealed, private: pair.privateKey };
}

async function openKey(jwk, sealed, passphrase) {
  const kid = await thumbprint(jwk);
  const under = await wrapping(passphrase, fromBase64url(sealed.salt), sealed.rounds, "unwrapKey");
  const how = { name: "AES-GCM", iv: fromBase64url(sealed.iv), additionalData: bytes(kid) };
  try {
    const key = await crypto.subtle.unwrapKey("pkcs8", fromBase64url(sealed.sealed), under, how, "Ed25519", false, ["sign"]);
    return { jwk, kid, private: key };
  } catch {
    throw new Error("This passphrase does not open the key. Type it again, watching capital letters.");
  }
}

// A detached JWS (RFC 7515) over canonical bytes.
async function sign(key, typ, text) {
  const header = base64url(bytes(canonical({ alg: "Ed25519", jwk: key.jwk, kid: key.kid, typ })));
  const signature = await crypto.subtle.sign("Ed25519", key.private, bytes(`${header}.${base64url(bytes(text))}`));
  return `${header}..${base64url(signature)}`;
}

async function envelope(key, typ, document) {
  return { document, signature: await sign(key, typ, canonical(document)) };
}

async function rotation(old, fresh, day) {
  const signed = await envelope(old, "provender-key-rotation", { kind: "key rotation", new_key: fresh.jwk, on: day });
  const statement = { as: "takes over", hash: await hash(canonical(signed)), on: day };
  return { ...signed, countersignatures: [await envelope(fresh, "provender-countersignature", statement)] };
}

async function post(form, body) {
  const answer = await fetch(form.dataset.to, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": form.elements.csrfmiddlewaretoken.value },
    body: JSON.stringify(body),
  });
  const found = (answer.headers.get("Content-Type") || "").includes("json") ? await answer.json() : {};
  if (answer.ok) return found;
  const told = (found.problems || []).map((one) => `${one.cause} ${one.remedy}`).join(" ");
  throw new Error(told || `The server answered ${answer.status}. Load the page again.`);
}

const typed = (form, name) => form.querySelector(`[data-part="${name}"]`)?.value ?? "";

function fieldsOf(form) {
  const found = {};
  for (const one of form.elements) {
    if (!one.name || one.name === "csrfmiddlewaretoken") continue;
    found[one.name] = one.type === "checkbox" ? (one.checked ? "yes" : "") : one.value;
  }
  return found;
}

async function registerKey(form) {
  const passphrase = typed(form, "new");
  if (passphrase.length < LEAST_PASSPHRASE) throw new Error(`Choose a passphrase of at least ${LEAST_PASSPHRASE} characters, such as four unrelated words.`);
  if (passphrase !== typed(form, "again")) throw new Error("The two passphrases differ. Type both again.");
  const { producer_id: producer, lost } = fieldsOf(form);
  const now = form.dataset.sealed && producer === form.dataset.producer && !lost;
  const old = now ? await openKey(JSON.parse(form.dataset.jwk), JSON.parse(form.dataset.sealed), typed(form, "old")) : null;
  const fresh = await makeKey(passphrase);
  const day = form.dataset.day;
  const registration = { kind: "key registration", organisation: form.dataset.organisation, producer_id: producer, new_key: fresh.jwk, on: day };
  const statement = old ? await rotation(old, fresh, day) : await envelope(fresh, "provender-key-registration", registration);
  return post(form, { producer_id: producer, sealed: fresh.sealed, statement, lost: lost ?? "" });
}

async function signDocument(form, say) {
  const key = await openKey(JSON.parse(form.dataset.jwk), JSON.parse(form.dataset.sealed), typed(form, "passphrase"));
  const body = { fields: fieldsOf(form) };
  if (form.dataset.saltName) body.salt_signature = await sign(key, form.dataset.saltTyp, canonical({ origin: form.dataset.saltName }));
  const made = await post(form, body);
  if ((await hash(made.document)) !== made.sha256) throw new Error("The document does not have the hash it came with. Load the page again.");
  say("Signing…");
  return post(form, { ...body, sha256: made.sha256, signature: await sign(key, form.dataset.typ, made.document) });
}

const DEEDS = { register: registerKey, sign: signDocument };

for (const form of document.querySelectorAll("form[data-signs]")) {
  const told = form.querySelector("[data-told]");
  const say = (words) => { told.textContent = words; };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (form.dataset.busy) return;
    form.dataset.busy = "yes";
    form.classList.add("sending");
    say("Opening the key. This takes a moment.");
    try {
      const done = await DEEDS[form.dataset.signs](form, say);
      window.location.assign(done.location);
    } catch (wrong) {
      say(wrong instanceof Error ? wrong.message : String(wrong));
      delete form.dataset.busy;
      form.classList.remove("sending");
    }
  });
  if (!window.crypto?.subtle) say("This browser keeps no keys on this address. Open the page over https, or sign on your own machine.");
}
