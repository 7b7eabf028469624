import { pageStem } from "#docs/dialects/paths.ts";
import type { Data } from "#docs/dialects/reading/data.ts";

const MAX_RULES = 2_000;

interface Rule {
  parts: readonly Part[];
  to: string;
}

/** A segment of a path: a text, a parameter with texts around it, or a parameter for all remaining segments. */
type Part = { kind: "text"; text: string } | { kind: "name" | "rest"; name: string; before: string; after: string };

/** Applies the `rewrites` of a configuration, `packages/:name/docs/:rest*` to `:name/:rest*`. Returns the path for addresses. */
export function createRewrite(rewrites: Data): (path: string) => string {
  const rules = rewrites
    .entries()
    .slice(0, MAX_RULES)
    .flatMap(([source, target]): Rule[] => {
      const to = target.text();
      return to === null ? [] : [{ parts: source.slice(0, 500).split("/").map(readPart), to }];
    });
  return (path) => {
    const segments = path.split("/");
    for (const { parts, to } of rules) {
      const names = match(parts, segments);
      if (names !== null) return filled(to, names, path);
    }
    return path;
  };
}

function readPart(text: string): Part {
  const [, before = "", name, own, mark, after = ""] = /^([^:]*):(\w+)(\([^)]*\))?([*+?]?)(.*)$/s.exec(text) ?? [];
  if (name === undefined) return { kind: "text", text };
  return { kind: mark === "*" || mark === "+" || own === "(.*)" ? "rest" : "name", name, before, after };
}

function match(parts: readonly Part[], segments: readonly string[]): ReadonlyMap<string, string> | null {
  const names = new Map<string, string>();
  const rest = parts.findIndex(({ kind }) => kind === "rest");
  const more = segments.length - parts.length;
  if (rest === -1 ? more !== 0 : more < -1) return null;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const count = index === rest ? more + 1 : 1;
    const text = segments.slice(at, at + count).join("/");
    at += count;
    const value = part.kind === "text" ? (text === part.text ? text : null) : between(text, part);
    if (value === null) return null;
    if (part.kind !== "text") names.set(part.name, value);
  }
  return names;
}

function between(text: string, { before, after }: { before: string; after: string }): string | null {
  const isIt = text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
  return isIt ? text.slice(before.length, text.length - after.length) : null;
}

function filled(to: string, names: ReadonlyMap<string, string>, path: string): string {
  const text = to.replaceAll(/:(\w+)(?:\([^)]*\))?[*+?]?/g, (_, name: string) => names.get(name) ?? "");
  return /\.md$/i.test(text) ? text : `${pageStem(text)}${/\.md$/i.exec(path)?.[0] ?? ""}`;
}
