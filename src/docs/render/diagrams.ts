import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { createLruCache } from "#lib/lru-cache.ts";
import { createPageTime, type PageTime } from "#docs/markup/page-time.ts";

/** Finds out whether the site's script can draw a diagram, with the parser that the script has. */
export interface Diagrams extends PageTime {
  /** Why the diagram cannot be drawn; null if it can, or if there was no time to find out. */
  problem(source: string): string | null;
}

/** The limits of the script that draws. */
const MAX_CHARACTERS = 50_000;
const MAX_EDGES = 500;
const MAX_MESSAGE = 200;
const MAX_CACHED_CHARACTERS = 2_000_000;
// The library takes 0.2 s to load, the first diagram of a kind 20 ms, each further one 1 to 5 ms.
const PAGE_TIME_MS = 1_000;
// By the clock, because Node can stop a script by nothing else.
const DIAGRAM_TIME_MS = 1_000;

/** Diagram types that the library's small edition lacks. The site only needs that edition, a tenth of the whole. */
const MISSING = new Set(["mindmap", "architecture", "architecture-beta"]);

/** What the library looks for in a browser when it loads. Its parsers use no page; labels stay as they are written. */
const BROWSER = `
  var window = globalThis;
  var Element = class {};
  var document = { nodeType: 9, implementation: {}, createElement: () => ({}), addEventListener() {} };
  var addEventListener = () => {};
`;

/** `now` returns milliseconds of CPU time. */
export function createDiagrams(now: () => number): Diagrams {
  const cache = createLruCache<string, { problem: string | null; characters: number }>({
    maxWeight: MAX_CACHED_CHARACTERS,
    weigh: ({ characters }) => 200 + characters,
  });
  const { hasTime, ...time } = createPageTime(now, PAGE_TIME_MS);
  // Loaded lazily: few pages have diagrams, and it takes 40 MB.
  let parse: Parse | null = null;

  return {
    ...time,
    problem(source) {
      if (source.length > MAX_CHARACTERS) return `it has more than ${MAX_CHARACTERS} characters`;
      const known = cache.get(source);
      if (known) return known.problem;
      if (!hasTime()) return null;
      parse ??= loadParser();
      const started = now();
      const outcome = parse(source);
      if (outcome === "out of time") {
        parse = null; // it may be in the middle of something
        // On a busy machine a diagram is not to blame.
        if (now() - started < DIAGRAM_TIME_MS / 2) return null;
      }
      const problem = outcome === null || outcome === "out of time" ? null : problemOf(outcome, source);
      cache.set(source, { problem, characters: source.length });
      return problem;
    },
  };
}

interface ParseError {
  name: string;
  message: string;
}

/** What the library throws; null for a diagram that it can read. */
type Parse = (source: string) => ParseError | "out of time" | null;

function loadParser(): Parse {
  const context = vm.createContext(
    { TextDecoder, TextEncoder, URL, structuredClone },
    { microtaskMode: "afterEvaluate" },
  );
  const library = fileURLToPath(import.meta.resolve("@mermaid-js/tiny"));
  vm.runInContext(BROWSER, context);
  vm.runInContext(readFileSync(library, "utf8"), context, { filename: library });
  const config = { startOnLoad: false, maxTextSize: MAX_CHARACTERS, maxEdges: MAX_EDGES };
  vm.runInContext(`mermaid.initialize(${JSON.stringify(config)})`, context);
  const script = new vm.Script(
    `outcome = null; mermaid.parse(source).catch(({ name, message }) => { outcome = { name, message: String(message) }; })`,
  );
  return (source) => {
    context["source"] = source;
    try {
      script.runInContext(context, { timeout: DIAGRAM_TIME_MS });
      return context["outcome"] as ParseError | null;
    } catch {
      return "out of time";
    }
  };
}

function problemOf({ name, message }: ParseError, source: string): string | null {
  // A browser may have what is missing here.
  if (/^(?:Type|Reference|Range)Error$/.test(name)) return null;
  if (name === "UnknownDiagramError") return unknownKind(source);
  const lines = message.split("\n").filter((line) => !/^-*\^$/.test(line));
  const text = lines
    .join(" ")
    .replace(/^Parsing failed: */, "")
    .replace(/Expecting (?:'[^']*', ){4,}got /, "unexpected ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return `Mermaid says "${text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text}"`;
}

function unknownKind(source: string): string {
  const body = source.replace(/^\s*---\n[^]*?\n---\n/, "").replaceAll(/%%\{[^]{0,2000}?\}%%/g, "");
  const first = body.split("\n").find((line) => line.trim() !== "" && !line.trimStart().startsWith("%%"));
  if (first === undefined) return "it is empty";
  const start = first.trimStart();
  const kind = /^[\w-]+/.exec(start)?.[0] ?? "";
  if (MISSING.has(kind)) return `Docent has no ${kind} diagrams`;
  return `it begins with "${kind === "" ? start.slice(0, 20) : kind.slice(0, 40)}", which is not a kind of diagram`;
}
