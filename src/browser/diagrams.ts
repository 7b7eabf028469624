// Draws the diagrams of a page. Mermaid runs in a frame with an origin of its own, without access to the page, and the
// page shows the result as an image, in which nothing can run or be loaded. Until then, on failure, and without script,
// the diagram's source is shown.
const PATIENCE_MS = 20_000;

interface Drawing {
  svg: string;
  width: number;
  height: number;
}

const words = JSON.parse(document.body.dataset["words"] ?? "{}") as {
  diagram: string;
  diagramNotDrawn: string;
  source: string;
};
const frameAddress = document.querySelector<HTMLScriptElement>("script[data-diagram-frame]")?.dataset["diagramFrame"];
const pending = new Map<number, (drawing: Drawing | null) => void>();
let frame: HTMLIFrameElement | null = null;
let ready: Promise<boolean> = Promise.resolve(false);
let lastId = 0;
let work: Promise<void> = Promise.resolve();

addEventListener("message", (event) => {
  if (frame === null || event.source !== frame.contentWindow) return;
  const { id, drawing } = event.data as { id: number; drawing: Drawing | null };
  pending.get(id)?.(drawing);
  pending.delete(id);
});

/** The response to one request, or null when the frame has timed out. */
function answer(id: number): Promise<Drawing | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      pending.delete(id);
      closeFrame();
      resolve(null);
    }, PATIENCE_MS);
    pending.set(id, (drawing) => {
      clearTimeout(timer);
      resolve(drawing);
    });
  });
}

/** Removes a frame that a diagram has hung; the next diagram gets a new one. */
function closeFrame(): void {
  frame?.remove();
  frame = null;
}

function openFrame(): HTMLIFrameElement {
  if (frame !== null) return frame;
  frame = document.createElement("iframe");
  frame.className = "diagram-frame";
  frame.tabIndex = -1;
  frame.title = words.diagram;
  frame.setAttribute("aria-hidden", "true");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.src = frameAddress ?? "";
  ready = answer(0).then((drawing) => drawing !== null);
  document.body.append(frame);
  return frame;
}

/** A color of the theme as the browser computes it. */
function colourOf(probe: HTMLElement, name: string): string {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

async function draw(source: string, place: HTMLElement): Promise<Drawing | null> {
  const window = openFrame();
  if (!(await ready)) return null;
  const probe = document.createElement("span");
  place.append(probe);
  const [text, line, surface, strong, accent, background] = [
    "text",
    "muted",
    "surface",
    "surface-strong",
    "accent",
    "background",
  ].map((name) => colourOf(probe, name));
  probe.remove();
  lastId += 1;
  const drawing = answer(lastId);
  const isDark = getComputedStyle(document.documentElement).colorScheme === "dark" || isDarkNow();
  const colours = { text, line, surface, strong, accent, background };
  window.contentWindow?.postMessage({ id: lastId, source, colours, isDark }, "*");
  return await drawing;
}

function isDarkNow(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}

async function show(figure: HTMLElement): Promise<void> {
  const pre = figure.querySelector("pre");
  if (pre === null) return;
  const source = pre.textContent;
  const drawing = await draw(source, figure);
  if (drawing === null) return sayNotDrawn(figure);
  const image = figure.querySelector("img") ?? document.createElement("img");
  image.alt = /(?:accDescr|accTitle|title):(.+)/.exec(source)?.[1]?.trim() ?? words.diagram;
  image.width = Math.ceil(drawing.width);
  image.height = Math.ceil(drawing.height);
  image.style.minWidth = `${Math.min(image.width, 480)}px`;
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing.svg)}`;
  try {
    await image.decode();
  } catch {
    return sayNotDrawn(figure);
  }
  if (image.isConnected) return;
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  const picture = document.createElement("div");
  picture.className = "diagram-picture";
  picture.tabIndex = 0;
  picture.append(image);
  summary.textContent = words.source;
  details.append(summary, pre);
  details.className = "diagram-source";
  figure.append(picture, details);
}

/** A style shows the note. A picture from before, in the other theme, stays. */
function sayNotDrawn(figure: HTMLElement): void {
  if (figure.querySelector("img") !== null) return;
  figure.className = "diagram-undrawn";
  figure.dataset["note"] = words.diagramNotDrawn;
}

// One after another, and only diagrams near the viewport.
const seen = new Set<HTMLElement>();
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLElement)) continue;
      near.unobserve(target);
      seen.add(target);
      work = work.then(() => show(target));
    }
  },
  { rootMargin: "800px" },
);
for (const figure of document.querySelectorAll<HTMLElement>("figure.diagram")) near.observe(figure);

function redraw(): void {
  for (const figure of seen) work = work.then(() => show(figure));
}
new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
