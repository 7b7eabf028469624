import { parse as parseJson } from "jsonc-parser";
import type { ParsedChange, ParsedText } from "./judge.ts";
import { stringsIn } from "./markup/unsafe-text.ts";
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

const WITH_SCHEME = /\b(?:https?|wss?|ftp):[\\/]*(?:\[[0-9a-f:.]+\])?[^\s"'<>`)\]}|]*/gi;
const WITHOUT_SCHEME = /(?<![\w:/\\.])[\\/]{2}[\w@:%-]+(?:\.[\w-]+)+[^\s"'<>`)\]}|]*/g;
// What GitHub and others make a link of by itself, and where mail goes.
const BY_ITSELF = /(?<![\w./@:-])www\.[\w-]+(?:\.[\w-]+)+/gi;
const MAIL = /\bmailto:[^\s"'<>`)\]@?]{1,200}@([\w-]+(?:\.[\w-]+)+)/gi;

/**
 * Hosts that a text and the addresses read from it lead to, as a browser would go there: the part before an `@` is no
 * host, backslashes are slashes, letters beyond ASCII are written in Punycode.
 */
export function linkedHosts(text: string, urls: readonly string[] = []): Set<string> {
  const hosts = new Set<string>();
  for (const [address] of text.matchAll(WITH_SCHEME)) add(hosts, address);
  for (const [address] of text.matchAll(WITHOUT_SCHEME)) add(hosts, address);
  for (const [address] of text.matchAll(BY_ITSELF)) add(hosts, `https://${address}`);
  for (const [, host = ""] of text.matchAll(MAIL)) add(hosts, `https://${host}`);
  for (const url of urls) {
    // srcset holds several addresses, each with a width.
    for (const part of url.split(/,\s+|\s+/)) if (/^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(part)) add(hosts, part);
  }
  return hosts;
}

function add(hosts: Set<string>, address: string): void {
  const url = URL.parse(address, "https://this.invalid/");
  if (url && url.hostname !== "" && url.hostname !== "this.invalid")
    hosts.add(url.hostname.replace(/\.$/, "").toLowerCase());
}
