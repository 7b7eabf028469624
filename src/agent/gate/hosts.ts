import { parse as parseJson } from "jsonc-parser";
import type { ParsedChange } from "./judge.ts";
import { linkedHosts, stringsIn } from "./markup/linked-hosts.ts";
import type { ParsedText } from "./parsed-texts.ts";
import { addressesIn } from "./markup/unsafe-markup.ts";

/** Hosts that the changed files link to, and that none of them linked to before. */
export function newHosts(parsed: readonly ParsedChange[]): string[] {
  const known = new Set(parsed.flatMap(({ path, before }) => [...hostsIn(path, before)]));
  const hosts = new Set(parsed.flatMap(({ path, after }) => [...hostsIn(path, after)]));
  return [...hosts].filter((host) => !known.has(host)).sort();
}

function hostsIn(path: string, { source, root }: ParsedText): Set<string> {
  if (root) return linkedHosts(source, addressesIn(root));
  return linkedHosts(source, path.endsWith(".json") ? jsonStrings(source) : []);
}

function jsonStrings(source: string): string[] {
  try {
    return stringsIn(parseJson(source));
  } catch {
    return []; // nested deeper than the stack: the pattern over the text has to do
  }
}
