// Runs in a frame with an origin of its own, together with Mermaid: draws what the parent page requests and sends the
// drawing back.
interface Mermaid {
  initialize(configuration: object): void;
  render(id: string, source: string): Promise<{ svg: string }>;
}

interface Question {
  id: number;
  source: string;
  isDark: boolean;
  colours: Record<"text" | "line" | "surface" | "strong" | "accent" | "background", string>;
}

const LIGHT = ["#9fd3ca", "#a9c9ee", "#f3d08b", "#e8b1b1", "#c9b8ec", "#b7d99a", "#f0bf9a", "#c6ccd1"];
const DARK = ["#1f6a60", "#2b5583", "#7a5d1d", "#7f3d3d", "#57428a", "#44662a", "#7d4d27", "#4a545b"];

addEventListener("message", (event) => {
  if (event.source !== parent) return;
  const question = event.data as Question;
  void draw(question).then(
    (drawing) => parent.postMessage({ id: question.id, drawing }, "*"),
    () => parent.postMessage({ id: question.id, drawing: null }, "*"),
  );
});
parent.postMessage({ id: 0, drawing: { svg: "", width: 0, height: 0 } }, "*");

async function draw({ id, source, isDark, colours }: Question): Promise<object> {
  const { mermaid } = globalThis as unknown as { mermaid: Mermaid };
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    maxTextSize: 50_000,
    maxEdges: 500,
    suppressErrorRendering: true,
    fontFamily: "ui-sans-serif, system-ui, sans-serif",
    theme: "base",
    // Settings that a diagram's own directive must not change.
    secure: [
      "secure",
      "securityLevel",
      "startOnLoad",
      "maxTextSize",
      "maxEdges",
      "suppressErrorRendering",
      "fontFamily",
      "themeCSS",
    ],
    themeVariables: {
      darkMode: isDark,
      background: colours.background,
      primaryColor: colours.surface,
      primaryTextColor: colours.text,
      primaryBorderColor: colours.accent,
      secondaryColor: colours.strong,
      tertiaryColor: colours.surface,
      lineColor: colours.line,
      textColor: colours.text,
      mainBkg: colours.surface,
      clusterBkg: colours.background,
      edgeLabelBackground: colours.background,
      noteBkgColor: colours.strong,
      noteTextColor: colours.text,
      dropShadow: "none",
      useGradient: false,
      pieStrokeColor: colours.background,
      pieOuterStrokeColor: colours.line,
      pieTitleTextColor: colours.text,
      pieSectionTextColor: colours.text,
      ...Object.fromEntries((isDark ? DARK : LIGHT).map((colour, index) => [`pie${index + 1}`, colour])),
    },
  });
  const { svg } = await mermaid.render(`diagram-${id}`, source);
  const parsed = new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
  if (parsed === null) throw new Error("nothing was drawn");
  const [, , width = 0, height = 0] = (parsed.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  parsed.setAttribute("width", String(width));
  parsed.setAttribute("height", String(height));
  parsed.style.removeProperty("max-width");
  // Serialized HTML is not XML: a line break in a label would break the picture.
  return { svg: new XMLSerializer().serializeToString(parsed), width, height };
}
