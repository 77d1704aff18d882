// Keeps the field page and its files, all of them or none, so that it opens without a network. It keeps nothing of a farm.
"use strict";

self.addEventListener("install", (event) => {
  const whole = async () => {
    const cache = await caches.open(KEPT.name);
    await cache.addAll([KEPT.page, ...KEPT.files].map((address) => new Request(address, { cache: "reload" })));
    await self.skipWaiting();
  };
  event.waitUntil(whole());
});

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith("field-") && name !== KEPT.name);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

self.addEventListener("fetch", (event) => {
  const asked = new URL(event.request.url);
  const ours = asked.origin === location.origin && (asked.pathname === KEPT.page || KEPT.files.includes(asked.pathname + asked.search));
  if (event.request.method !== "GET" || !ours) return;
  const answer = async () => (await caches.match(asked.pathname === KEPT.page ? KEPT.page : event.request)) || fetch(event.request);
  event.respondWith(answer());
});
