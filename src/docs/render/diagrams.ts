import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { createLruCache } from "#lib/lru-cache.ts";
import { createPageTime, type PageTime } from "#docs/markup/page-time.ts";

/** Finds out whether the site's script can draw a diagram, with the parser that the script has. */
export interface Diagrams extends PageTime {
  /** Null for a diagram that can be drawn. */
  problem(source: string): DiagramProblem | null;
}

/** Why a diagram cannot be drawn, or why that is not known: then it is left to the browser. */
export interface DiagramProblem {
  isKnown: boolean;
  message: string;
}

/** The limits of the script that draws. */
const MAX_CHARACTERS = 50_000;
const MAX_EDGES = 500;
const MAX_MESSAGE = 200;
const MAX_CACHED_CHARACTERS = 2_000_000;
// The library takes 0.2 s to load, the first diagram of a kind 20 ms, each further one 1 to 5 ms.
const PAGE_TIME_MS = 1_000;
const DIAGRAM_CPU_MS = 1_000;
// By the clock, because Node can stop a script by nothing else: on a busy machine a diagram is tried again.
const TRIES_MS = [1_000, 2_000, 2_000, 2_000, 2_000, 2_000];

/** Diagram types that the library's small edition lacks. The site only needs that edition, a tenth of the whole. */
const MISSING = new Set(["mindmap", "architecture", "architecture-beta"]);

/** What the library looks for in a browser when it loads. Its parsers use no page; labels stay as they are written. */
const BROWSER = `
  var window = globalThis;
  var Element = class {};
  var Option = class { style = {} };
  var document = { nodeType: 9, implementation: {}, createElement: () => ({}), addEventListener() {} };
  var addEventListener = () => {};
`;

/** `now` returns milliseconds of CPU time; `triesMs` are wall-clock times. */
export function createDiagrams(now: () => number, { triesMs = TRIES_MS } = {}): Diagrams {
  const cache = createLruCache<string, { problem: DiagramProblem | null; characters: number }>({
    maxWeight: MAX_CACHED_CHARACTERS,
    weigh: ({ characters }) => 200 + characters,
  });
  const { hasTime, ...time } = createPageTime(now, PAGE_TIME_MS);
  // Loaded lazily: few pages have diagrams, and it takes 40 MB.
  let parse: Parse | null = null;

  const outcomeOf = (source: string): ReturnType<Parse> => {
    const started = now();
    for (const timeMs of triesMs) {
      parse ??= loadParser();
      const outcome = parse(source, timeMs);
      if (outcome !== "out of time") return outcome;
      parse = null; // its state is unknown after a timeout
      if (now() - started > DIAGRAM_CPU_MS) break;
    }
    return "out of time";
  };

  return {
    ...time,
    problem(source) {
      if (source.length > MAX_CHARACTERS) return known(`it has more than ${MAX_CHARACTERS} characters`);
      const cached = cache.get(source);
      if (cached) return cached.problem;
      if (!hasTime()) return unknown("the diagrams of a page take too long to read");
      const outcome = outcomeOf(source);
      const problem =
        outcome === "out of time" ? unknown("it takes too long to read") : outcome && problemOf(outcome, source);
      cache.set(source, { problem, characters: source.length });
      return problem;
    },
  };
}

const known = (message: string): DiagramProblem => ({ isKnown: true, message });
const unknown = (message: string): DiagramProblem => ({ isKnown: false, message });

interface ParseError {
  name: string;
  message: string;
}

/** What the library throws; null for a diagram that it can read. */
type Parse = (source: string, timeMs: number) => ParseError | "out of time" | null;

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
  return (source, timeMs) => {
    context["source"] = source;
    try {
      script.runInContext(context, { timeout: timeMs });
      return context["outcome"] as ParseError | null;
    } catch {
      return "out of time";
    }
  };
}

function problemOf({ name, message }: ParseError, source: string): DiagramProblem {
  // A browser may have what is missing here.
  if (/^(?:Type|Reference|Range)Error$/.test(name))
    return unknown(`Mermaid needs a browser for it (${message.slice(0, MAX_MESSAGE)})`);
  if (name === "UnknownDiagramError") return known(unknownKind(source));
  if (message.startsWith("Edge limit exceeded")) return known(`it has more than ${MAX_EDGES} connections`);
  const lines = message.split("\n").filter((line) => !/^-*\^$/.test(line));
  const text = lines
    .join(" ")
    .replace(/^Parsing failed: */, "")
    .replace(/Expecting (?:'[^']*', ){4,}got /, "unexpected ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return known(`Mermaid says "${text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text}"`);
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
