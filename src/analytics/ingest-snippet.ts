/**
 * The script that docs hosted elsewhere put on their pages: it sends each page that is seen, with client-side
 * navigation too, to the ingest endpoint. Plain text as the content type needs no preflight.
 */
export function ingestSnippet({ endpoint }: { endpoint: string }): string {
  const address = JSON.stringify(endpoint).replaceAll("<", String.raw`\u003c`);
  return `<script>
(() => {
  let seen = "", referrer = document.referrer;
  const send = () => {
    if (document.visibilityState !== "visible" || document.prerendering || location.pathname === seen) return;
    seen = location.pathname;
    navigator.sendBeacon(${address}, JSON.stringify({ path: seen, referrer, id: crypto.randomUUID() }));
    referrer = location.href;
  };
  const { pushState } = history;
  history.pushState = function (...all) { pushState.apply(this, all); send(); };
  addEventListener("popstate", send);
  document.addEventListener("visibilitychange", send);
  document.addEventListener("prerenderingchange", send);
  send();
})();
</script>`;
}
