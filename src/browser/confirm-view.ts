// Tells the server that a browser showed this page: once for each address, when the page is seen.
let confirmed = "";
let referrer = document.referrer;

const confirmView = () => {
  const path = location.pathname;
  if (document.visibilityState !== "visible" || (document as { prerendering?: boolean }).prerendering) return;
  if (path === confirmed) return;
  confirmed = path;
  const id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  navigator.sendBeacon("/_docent/view", JSON.stringify({ path, referrer, id, storage: navigator.cookieEnabled }));
  referrer = location.href;
};

const { pushState } = history;
history.pushState = function (...args) {
  pushState.apply(this, args);
  confirmView();
};
addEventListener("popstate", confirmView);
addEventListener("pageshow", (event) => {
  if (event.persisted) confirmed = "";
  confirmView();
});
document.addEventListener("visibilitychange", confirmView);
document.addEventListener("prerenderingchange", confirmView);
confirmView();
