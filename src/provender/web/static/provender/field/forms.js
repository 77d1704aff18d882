// The forms of the field: as the pages of the farm draw them, kept on the phone; with when and where they were filled in.
"use strict";

(() => {
  const field = window.provenderField;
  const box = document.getElementById("form");
  const place = document.getElementById("place");
  const AWHILE = 2000; // a record waits no longer than this for a place that is still being looked for
  let position = null;
  let looked = Promise.resolve();

  function locate() {
    if (!navigator.geolocation) { place.textContent = "This phone does not tell where it is."; return; }
    place.textContent = "Looking for your place…";
    looked = new Promise((done) => {
      const found = ({ coords }) => { position = coords; place.textContent = `Your place is known within ${Math.round(coords.accuracy)} m.`; done(); };
      const lost = () => { position = null; place.textContent = "Your place was not found; the record goes without it."; done(); };
      navigator.geolocation.getCurrentPosition(found, lost, { enableHighAccuracy: true, timeout: 20000, maximumAge: 30000 });
    });
  }

  // The clock with its offset from UTC: the day in the field, not the day in London.
  function clock() {
    const here = new Date();
    const minutes = -here.getTimezoneOffset();
    const two = (number) => String(Math.trunc(Math.abs(number))).padStart(2, "0");
    const local = new Date(here.getTime() + minutes * 60000).toISOString().slice(0, 19);
    return `${local}${minutes < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
  }

  async function moment() {
    const when = clock();
    await Promise.race([looked, new Promise((done) => { setTimeout(done, AWHILE); })]);
    return {
      at: when,
      latitude: position ? position.latitude.toFixed(6) : "",
      longitude: position ? position.longitude.toFixed(6) : "",
      accuracy_m: position ? String(Math.round(position.accuracy)) : "",
    };
  }

  const cells = (form) => [...form.elements].filter((one) => one.name && one.type !== "file");
  const textsOf = (form) => Object.fromEntries(cells(form).map((one) => [one.name, one.value.trim()]));

  function fill(form, texts) {
    for (const one of cells(form)) {
      const text = texts[one.name];
      if (text === undefined) continue;
      if (one.tagName === "SELECT" && ![...one.options].some((each) => each.value === text)) one.add(new Option(text, text));
      one.value = text;
      const fold = one.closest("details.fold");
      if (text && fold) fold.open = true;
    }
  }

  // Names that were recorded here and are not sent yet can be chosen too.
  function offer(form, kind, added) {
    for (const [column, named] of Object.entries(kind.refers)) {
      const select = form.elements[column];
      if (select?.tagName !== "SELECT") continue;
      for (const name of added[named] || []) {
        if (![...select.options].some((each) => each.value === name)) select.add(new Option(`${name} (not sent yet)`, name));
      }
    }
  }

  // The day of the work is today and its acres are those of the field, until somebody says otherwise.
  function presume(form, kind, units) {
    const day = form.elements[kind.today];
    if (day && !day.value) day.value = clock().slice(0, 10);
    const unit = form.elements.unit_id;
    const acres = form.elements[kind.acres];
    let ours = "";
    const follow = () => {
      const known = units.find((one) => one.key === unit.value)?.acres || "";
      if (!acres.value || acres.value === ours) acres.value = known;
      ours = known;
    };
    if (unit && acres) { unit.addEventListener("input", follow); follow(); }
  }

  // What is needed and blank is said beside its field before anything is kept, with a network or without.
  function lacks(form) {
    form.querySelectorAll("[data-lacks]").forEach((one) => one.remove());
    const blank = cells(form).filter((one) => one.required && !one.value.trim());
    for (const one of cells(form).filter((each) => each.required)) {
      const around = one.closest(".field");
      around?.classList.toggle("wrong", blank.includes(one));
      one.removeAttribute("aria-invalid");
      if (!blank.includes(one)) continue;
      one.setAttribute("aria-invalid", "true");
      const label = form.querySelector(`label[for="${one.id}"]`)?.textContent.trim() || one.name;
      const told = Object.assign(document.createElement("p"), { className: "error", textContent: `${label}: fill it in.` });
      told.dataset.lacks = one.name;
      (one.closest(".unit") || one).before(told);
      const fold = one.closest("details.fold");
      if (fold) fold.open = true;
    }
    blank[0]?.focus();
    return blank.length;
  }

  function begin(form, title) {
    box.replaceChildren(form);
    window.provenderFields(form);
    document.getElementById("form-title").textContent = title;
    document.getElementById("recording").hidden = false;
    locate();
    const head = document.getElementById("form-title");
    head.focus({ preventScroll: true });
    head.scrollIntoView({ block: "start" });
  }

  function row(kind, { key = "", seen = "", texts = {}, added = {}, why = "", units = [] } = {}) {
    const form = document.createElement("form");
    form.noValidate = true;
    form.innerHTML = kind.form; // eslint-disable-line -- our own server's form, opened from what this phone sealed
    const again = key ? `<div class="field"><label for="why">Why it is corrected <span class="needed">needed</span></label><input id="why" name="why" maxlength="120"></div>` : "";
    form.insertAdjacentHTML("beforeend", `${again}<p class="actions"><button type="submit">Keep on this phone</button><button type="button" class="quieter" data-close>Close</button></p>`);
    Object.assign(form.dataset, { kind: kind.name, key, seen });
    offer(form, kind, added);
    fill(form, key ? { ...texts, why } : texts);
    if (!key) presume(form, kind, units);
    if (key) kind.own.forEach((name) => { if (form.elements[name]) form.elements[name].readOnly = true; });
    begin(form, key ? `Correct ${key}` : kind.label);
    return form;
  }

  function photograph(units, covers, texts = {}) {
    const form = document.getElementById("photograph").content.firstElementChild.cloneNode(true);
    units.forEach((unit) => form.elements.unit_id.add(new Option(unit.called, unit.key)));
    covers.forEach((cover) => form.elements.shows.add(new Option(cover.called, cover.key)));
    fill(form, texts);
    begin(form, "Photograph");
    return form;
  }

  function close() {
    box.replaceChildren();
    document.getElementById("recording").hidden = true;
  }

  field.forms = { row, photograph, close, textsOf, moment, lacks };
})();
