// Runs before the page is drawn, so that a reader who chose a theme never sees the other one flash by.
(() => {
  const root = document.documentElement;
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem("docent-theme");
  } catch {
    // Storage can be switched off: the page follows the system then.
  }
  if (chosen === "light" || chosen === "dark") root.dataset["theme"] = chosen;
  root.classList.add("js");
})();
