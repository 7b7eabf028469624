// Runs before the first paint, so that a reader who chose a theme never sees a flash of the other one.
(() => {
  const root = document.documentElement;
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem("docent-theme");
  } catch {
    // Storage may be disabled: the page then follows the system.
  }
  if (chosen === "light" || chosen === "dark") root.dataset["theme"] = chosen;
  root.classList.add("js");
})();
