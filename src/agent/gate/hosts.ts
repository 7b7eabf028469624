import { parse as parseJson } from "jsonc-parser";
import type { ParsedChange, ParsedText } from "./judge.ts";
import { stringsIn } from "./markup/unsafe-text.ts";
import { addressesIn } from "./markup/unsafe-markup.ts";

/** Hosts that the changed files link to, and that none of them linked to before the change. */
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
    return []; // nested too deeply for the stack: only the pattern over the text applies
  }
}

const WITH_SCHEME = /\b(?:https?|wss?|ftp):[\\/]*(?:\[[0-9a-f:.]+\])?[^\s"'<>`)\]}|]*/gi;
const WITHOUT_SCHEME = /(?<![\w:/\\.])[\\/]{2}[\w@:%-]+(?:\.[\w-]+)+[^\s"'<>`)\]}|]*/g;
// Text that GitHub and others link automatically, and hosts of mail addresses.
const BY_ITSELF = /(?<![\w./@:-])www\.[\w-]+(?:\.[\w-]+)+/gi;
const MAIL = /\bmailto:[^\s"'<>`)\]@?]{1,200}@([\w-]+(?:\.[\w-]+)+)/gi;

/**
 * Hosts of a text and of the URLs read from it, resolved as a browser does: the part before an `@` is not a host,
 * backslashes are slashes, non-ASCII letters are written in Punycode.
 */
export function linkedHosts(text: string, urls: readonly string[] = []): Set<string> {
  const hosts = new Set<string>();
  for (const [address] of text.matchAll(WITH_SCHEME)) add(hosts, address);
  for (const [address] of text.matchAll(WITHOUT_SCHEME)) add(hosts, address);
  for (const [address] of text.matchAll(BY_ITSELF)) add(hosts, `https://${address}`);
  for (const [, host = ""] of text.matchAll(MAIL)) add(hosts, `https://${host}`);
  for (const url of urls) {
    // srcset contains several URLs, each with a width.
    for (const part of url.split(/,\s+|\s+/)) if (/^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(part)) add(hosts, part);
  }
  return hosts;
}

function add(hosts: Set<string>, address: string): void {
  const url = URL.parse(address, "https://this.invalid/");
  if (url && url.hostname !== "" && url.hostname !== "this.invalid")
    hosts.add(url.hostname.replace(/\.$/, "").toLowerCase());
}
