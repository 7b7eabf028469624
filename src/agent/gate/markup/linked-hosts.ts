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

/** Every string in a JSON document, escapes resolved. */
export const stringsIn = (value: unknown): string[] => namedStringsIn(value).map(({ text }) => text);

/** The same, each with the name of the property that it is the value of, or that its list is. */
export function namedStringsIn(value: unknown): { name: string; text: string }[] {
  const strings: { name: string; text: string }[] = [];
  const open: { name: string; item: unknown }[] = [{ name: "", item: value }];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const { name, item } = entry;
    if (typeof item === "string") strings.push({ name, text: item });
    else if (Array.isArray(item)) for (const part of item as unknown[]) open.push({ name, item: part });
    else if (typeof item === "object" && item !== null) {
      for (const key of Object.getOwnPropertyNames(item)) {
        open.push({ name: key, item: (item as Record<string, unknown>)[key] });
      }
    }
  }
  return strings;
}
