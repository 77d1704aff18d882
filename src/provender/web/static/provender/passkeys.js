// Passkeys: the browser asks for finger, face or PIN; the form takes its answer to the server. Pages work without it, by password.
"use strict";

const DEEDS = {
  async add(form, options) {
    const whole = form.elements.passwordless.checked;
    const { authenticatorSelection: chosen = {}, ...rest } = options.publicKey;
    const selection = { ...chosen, residentKey: whole ? "required" : "discouraged", requireResidentKey: whole, ...(whole ? { userVerification: "required" } : {}) };
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON({ ...rest, authenticatorSelection: selection });
    return navigator.credentials.create({ publicKey });
  },
  async use(form, options) {
    return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options.publicKey) });
  },
};

async function optionsOf(form) {
  const lying = document.getElementById("passkey-options");
  if (lying) { const lain = JSON.parse(lying.textContent); return lain.creation_options || lain.request_options; }
  const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
  return (await answer.json()).request_options;
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const told = form.querySelector("[data-told]");
  const able = window.PublicKeyCredential?.parseRequestOptionsFromJSON;
  if (!able) { told.textContent = "This browser has no passkeys on this address. They need https and a name, not a number."; continue; }
  form.querySelector("button").disabled = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    event.stopPropagation();
    told.textContent = "";
    try {
      const credential = await DEEDS[form.dataset.passkey](form, await optionsOf(form));
      form.elements.credential.value = JSON.stringify(credential.toJSON());
      form.submit();
    } catch {
      told.textContent = "No passkey was used. Try again, or go another way.";
    }
  });
}
