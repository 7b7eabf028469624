// Tells the server that a browser has shown this page: once per address, when the page becomes visible.
let confirmed = "";
let from = document.referrer;
// The path under which this site is mounted below another one.
const base = document.documentElement.dataset["base"] ?? "";

// `#docent-do-not-count` on any page of the site excludes this browser from the counts, `#docent-count` includes it
// again.
const isOptedOut = () => {
  const key = "docent-do-not-count";
  try {
    if (location.hash === `#${key}`) localStorage.setItem(key, "1");
    if (location.hash === "#docent-count") localStorage.removeItem(key);
    return localStorage.getItem(key) !== null;
  } catch {
    return location.hash === `#${key}`; // storage is unavailable in this browser
  }
};

const confirmView = () => {
  const { pathname } = location;
  const path = `${pathname}/`.startsWith(`${base}/`) ? pathname.slice(base.length) || "/" : pathname;
  if (document.visibilityState !== "visible" || (document as { prerendering?: boolean }).prerendering) return;
  if (path === confirmed || isOptedOut()) return;
  confirmed = path;
  const id = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const storage = `${navigator.cookieEnabled}`;
  const automated = `${navigator.webdriver}`;
  const referrer = from.split("/", 3).join("/"); // only its host is used
  // Without a body: reading one would cost the server's thread 7 µs of the roughly 40 that a view takes.
  const message = `${base}/_docent/view?${new URLSearchParams({ path, referrer, id, storage, automated })}`;
  if (!navigator.sendBeacon?.(message)) fetch(message, { method: "POST", keepalive: true }).catch(() => {});
  from = location.href;
};

for (const name of ["pushState", "replaceState"] as const) {
  const change = history[name];
  history[name] = function (...args) {
    change.apply(this, args);
    confirmView();
  };
}
addEventListener("popstate", confirmView);
addEventListener("hashchange", confirmView);
addEventListener("pageshow", (event) => {
  if (event.persisted) confirmed = "";
  confirmView();
});
document.addEventListener("visibilitychange", confirmView);
document.addEventListener("prerenderingchange", confirmView);
confirmView();
