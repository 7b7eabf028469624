const WITH_SCHEME = /\b(?:https?|wss?|ftp):[\\/]*(?:\[[0-9a-f:.]+\])?[^\s"'<>`)\]}|]*/gi;
const WITHOUT_SCHEME = /(?<![\w:/\\.])[\\/]{2}[\w@:%-]+(?:\.[\w-]+)+[^\s"'<>`)\]}|]*/g;

/**
 * Hosts that a text and the addresses read from it lead to, as a browser would go there: the part before an `@` is no
 * host, backslashes are slashes, letters beyond ASCII are written in Punycode.
 */
export function linkedHosts(text: string, urls: readonly string[] = []): Set<string> {
  const hosts = new Set<string>();
  for (const [address] of text.matchAll(WITH_SCHEME)) add(hosts, address);
  for (const [address] of text.matchAll(WITHOUT_SCHEME)) add(hosts, address);
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
export function stringsIn(value: unknown): string[] {
  const strings: string[] = [];
  const open: unknown[] = [value];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (typeof item === "string") strings.push(item);
    else if (typeof item === "object" && item !== null)
      open.push(...(Object.values(item) as unknown[]).filter((one) => one !== undefined));
  }
  return strings;
}
