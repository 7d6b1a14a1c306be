// The service worker: the page starts without a connection. VERSION and FILES, the files of the pages, precede this when it is served.
/* global FILES, VERSION */

const CACHE = `planner-${VERSION}`,
  PAGE = "/install";

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll([PAGE, ...FILES].map((address) => new Request(address, { cache: "reload" }))))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const older = async () =>
    Promise.all(
      (await caches.keys()).filter((name) => name.startsWith("planner-") && name !== CACHE).map((name) => caches.delete(name)),
    );
  event.waitUntil(older().then(() => self.clients.claim()));
});

// Files are those of one version; the page is the server's where it answers, so that a link that has ended is noticed.
self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request,
    { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== self.location.origin) return;
  if (FILES.includes(pathname)) event.respondWith(kept(pathname, event.request));
  else if (mode === "navigate" && pathname === PAGE)
    event.respondWith(fetch(event.request).catch(() => kept(PAGE, event.request)));
  // The code of a cable or a device, without a connection.
  else if (mode === "navigate" && /^\/(c\/\d{1,7}[ab]?|d\/[^/]+)$/i.test(pathname))
    event.respondWith(fetch(event.request).catch(() => opened(pathname)));
});

async function kept(address, request) {
  return (await (await caches.open(CACHE)).match(address)) ?? fetch(request);
}

function opened(pathname) {
  if (/^\/d\//i.test(pathname)) return Response.redirect(`${PAGE}#device=${pathname.slice(3)}`);
  const [, number, end] = /(\d+)([ab]?)$/i.exec(pathname);
  return Response.redirect(`${PAGE}#cable=${number}${end ? `&end=${end.toLowerCase()}` : ""}`);
}
