// Fields on a map, without tiles: counties, fields, and a boundary being drawn. Pages work without it: a list stands beside.
"use strict";

(() => {
  const box = document.getElementById("map");
  const source = document.getElementById("fields");
  if (!box || !source || !window.L) return;
  const fields = JSON.parse(source.textContent);
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const map = L.map(box, { attributionControl: false, zoomSnap: 0.25, preferCanvas: false });
  const everything = L.featureGroup();
  L.control.scale({ metric: false }).addTo(map);
  if (fields.counties.features.length) {
    const counties = L.geoJSON(fields.counties, { interactive: false, style: { color: colour("edge"), weight: 1.5, fillColor: colour("plain-wash"), fillOpacity: 0.5 } });
    counties.addTo(map);
    if (!(fields.units || []).length && !(fields.others || []).length) everything.addLayer(counties);
  }

  const named = [];
  const dashes = { "not-met": "2 5", "not-shown": "8 5", waiting: "12 4 2 4" };
  for (const one of fields.units || []) {
    const style = { color: colour(one.verdict), weight: 2.5, dashArray: dashes[one.verdict] || null, fillColor: colour(one.verdict), fillOpacity: 0.28 };
    const layer = L.geoJSON(one.geojson, { style });
    const words = document.createElement("span"); // never as markup: names come from files
    words.textContent = `${one.unit}: ${one.words}`;
    layer.bindTooltip(words, { sticky: true });
    named.push([layer, one.unit, one.acres]);
    layer.on("click", () => { window.location.href = one.href; });
    everything.addLayer(layer);
  }
  for (const one of fields.others || []) {
    everything.addLayer(L.geoJSON(one, { interactive: false, style: { color: colour("edge"), weight: 1.5, fillOpacity: 0.15 } }));
  }
  const fit = (bounds) => { if (bounds.isValid()) map.fitBounds(bounds, { padding: [24, 24], maxZoom: 17 }); else map.setView([41, -93], 5); };
  const typed = document.querySelector("[data-corners]");
  const read = () => typed.value.split("\n").map((line) => line.replace(/,/g, " ").trim().split(/\s+/).map(Number))
    .filter((pair) => pair.length === 2 && pair.every(Number.isFinite));
  // A map without a view cannot be drawn on.
  fit(typed && read().length > 2 ? L.latLngBounds(read()) : everything.getBounds());
  everything.addTo(map);
  // A field says its name and acres where they have room within it.
  const names = L.layerGroup().addTo(map);
  function label() {
    names.clearLayers();
    for (const [layer, unit, acres] of named) {
      const bounds = layer.getBounds();
      const wide = map.latLngToLayerPoint(bounds.getNorthEast()).x - map.latLngToLayerPoint(bounds.getSouthWest()).x;
      if (wide < 24) continue;
      const html = document.createElement("span");
      html.append(unit, ...(wide < 56 || !acres ? [] : [document.createElement("br"), `${acres} ac`]));
      L.marker(bounds.getCenter(), { interactive: false, keyboard: false, icon: L.divIcon({ className: "field-name", html, iconSize: [Math.max(wide, 40), 36] }) }).addTo(names);
    }
  }
  map.on("zoomend", label);
  label();
  if (!typed) return;

  // Drawing: the typed corners are the truth; the map shows them and writes them.
  const told = document.getElementById("drawn");
  const shape = L.polygon([], { color: colour("brand"), weight: 3, interactive: false }).addTo(map);
  const handles = L.layerGroup().addTo(map);
  const write = (corners) => { typed.value = corners.map(([lat, lon]) => `${lat.toFixed(7)}, ${lon.toFixed(7)}`).join("\n"); show(); };
  const icon = () => L.divIcon({ className: "corner", html: "", iconSize: [22, 22] });
  function show() {
    const corners = read();
    shape.setLatLngs(corners);
    handles.clearLayers();
    corners.forEach((corner, index) => {
      const handle = L.marker(corner, { draggable: true, icon: icon(), title: `Corner ${index + 1}`, alt: `Corner ${index + 1}` });
      handle.on("drag", (event) => { const now = read(); now[index] = [event.latlng.lat, event.latlng.lng]; shape.setLatLngs(now); });
      handle.on("dragend", () => { const now = read(); const at = handle.getLatLng(); now[index] = [at.lat, at.lng]; write(now); });
      handle.addTo(handles);
    });
    told.textContent = corners.length === 1 ? "1 corner" : `${corners.length} corners`;
  }
  map.on("click", (event) => write([...read(), [event.latlng.lat, event.latlng.lng]]));
  typed.addEventListener("input", show);
  document.getElementById("undo").addEventListener("click", () => write(read().slice(0, -1)));
  document.getElementById("clear").addEventListener("click", () => write([]));
  document.getElementById("here").addEventListener("click", () => {
    if (!navigator.geolocation) { told.textContent = "This browser does not know where it is."; return; }
    told.textContent = "Looking for your place…";
    navigator.geolocation.getCurrentPosition(
      (found) => { write([...read(), [found.coords.latitude, found.coords.longitude]]); told.textContent += `, the last within ${Math.round(found.coords.accuracy)} m`; map.panTo([found.coords.latitude, found.coords.longitude]); },
      () => { told.textContent = "Your place was not found. Allow it in the browser, or type the corner."; },
      { enableHighAccuracy: true, timeout: 15000 });
  });
  show();
})();
