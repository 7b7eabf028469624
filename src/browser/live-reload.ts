// For pages of `docent dev`: a change of the docs reloads the page, a new report updates the notice above it.
const script = document.querySelector<HTMLScriptElement>("script[data-changes]");

async function renewNotice(): Promise<void> {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("site-problems");
  const shown = document.getElementById("site-problems");
  if (fresh && shown) shown.replaceWith(document.importNode(fresh, true));
}

if (script !== null) {
  const changes = new EventSource(script.dataset["changes"] ?? "");
  let wasLost = false;
  changes.addEventListener("change", () => location.reload());
  changes.addEventListener("report", () => void renewNotice().catch(() => undefined));
  changes.addEventListener("error", () => (wasLost = true));
  // The server was unreachable, so changes meanwhile were missed.
  changes.addEventListener("open", () => wasLost && location.reload());
  addEventListener("pagehide", () => changes.close());
}
