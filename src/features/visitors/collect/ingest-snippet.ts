/**
 * The script for pages of docs hosted elsewhere: it sends each viewed page, including client-side navigation, to the
 * ingest endpoint. The content type plain text needs no preflight. It works like `browser/confirm-view.ts`, also over
 * plain http, and sends only the page's path and the referring site.
 */
export function ingestSnippet({ endpoint }: { endpoint: string }): string {
  const address = JSON.stringify(endpoint).replaceAll("<", String.raw`\u003c`);
  return `<script>
(() => {
  const loaded = location.pathname;
  let seen = "", from = document.referrer;
  const key = "docent-do-not-count";
  const isOptedOut = () => {
    try {
      if (location.hash === "#" + key) localStorage.setItem(key, "1");
      if (location.hash === "#docent-count") localStorage.removeItem(key);
      return localStorage.getItem(key) !== null;
    } catch { return location.hash === "#" + key; }
  };
  const send = () => {
    if (document.visibilityState !== "visible" || document.prerendering) return;
    if (location.pathname === seen || isOptedOut()) return;
    seen = location.pathname;
    const body = JSON.stringify({
      path: seen,
      referrer: from.split("/", 3).join("/"),
      id: btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)))),
      automated: navigator.webdriver === true,
      missing: seen === loaded && performance.getEntriesByType("navigation")[0]?.responseStatus === 404,
    });
    from = location.href;
    if (navigator.sendBeacon && navigator.sendBeacon(${address}, body)) return;
    fetch(${address}, { method: "POST", body, keepalive: true, mode: "no-cors", credentials: "omit" }).catch(() => {});
  };
  for (const name of ["pushState", "replaceState"]) {
    const change = history[name];
    history[name] = function (...all) { change.apply(this, all); send(); };
  }
  for (const name of ["popstate", "hashchange"]) addEventListener(name, send);
  addEventListener("pageshow", (event) => { if (event.persisted) seen = ""; send(); });
  for (const name of ["visibilitychange", "prerenderingchange"]) document.addEventListener(name, send);
  send();
})();
</script>`;
}
