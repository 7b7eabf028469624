// Shows the tooltip of a chart bar at once; the browser's own for an SVG title takes a second.
(() => {
  const tip = document.createElement("div");
  tip.className = "chart-tip";
  tip.hidden = true;
  document.body.append(tip);
  const barOf = (target: EventTarget | null) => (target instanceof Element ? target.closest("svg.chart g") : null);
  addEventListener("pointerover", ({ target }) => {
    const bar = barOf(target);
    tip.hidden = bar === null;
    if (bar === null) return;
    // Otherwise the browser shows the title as well.
    const title = bar.querySelector("title");
    if (title) {
      bar.setAttribute("data-tip", title.textContent ?? "");
      title.remove();
    }
    tip.textContent = bar.getAttribute("data-tip");
    const { left, width, top } = bar.getBoundingClientRect();
    const half = tip.offsetWidth / 2;
    const middle = Math.min(Math.max(left + width / 2, half + 8), document.documentElement.clientWidth - half - 8);
    tip.style.left = `${middle + scrollX}px`;
    tip.style.top = `${top + scrollY}px`;
  });
})();
