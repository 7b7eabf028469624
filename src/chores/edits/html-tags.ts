const TAG = /<(\/?)([A-Za-z][\w.-]*)(?:\s[^<>]*)?>/g;
/** Elements without an end (HTML, 13.1.2), and those whose end may be left out. */
const ENDLESS =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|tr|td|th|option|thead|tbody|tfoot)$/i;

/** The tags of some HTML in a row that have no other half among them, as `<name>` and `</name>`. */
export function openTags(html: readonly string[]): string[] {
  const open: string[] = [];
  for (const [tag, slash = "", name = ""] of withoutComments(html.join("\n")).matchAll(TAG)) {
    if (tag.endsWith("/>") || ENDLESS.test(name)) continue;
    const opening = `<${name}>`;
    if (slash === "") open.push(opening);
    else if (open.at(-1) === opening) open.pop();
    else open.push(`</${name}>`);
  }
  return open;
}

const MAX_DEPTH = 100;

/** The first of some pieces of HTML in a row that closes what none of them opens; -1 where none does, or they nest deeper than anybody writes. */
export function firstClosing(pieces: readonly (string | null)[]): number {
  let open: string[] = [];
  for (const [at, piece] of pieces.entries()) {
    if (piece === null) continue;
    open = openTags([...open, piece]);
    if (open.some((tag) => tag.startsWith("</"))) return at;
    if (open.length > MAX_DEPTH) return -1;
  }
  return -1;
}

/** By hand: a pattern would look for the end of each of a thousand comments that have none. */
function withoutComments(html: string): string {
  const parts: string[] = [];
  for (let at = 0; ;) {
    const start = html.indexOf("<!--", at);
    parts.push(html.slice(at, start === -1 ? undefined : start));
    const end = start === -1 ? -1 : html.indexOf("-->", start);
    if (end === -1) return parts.join("");
    at = end + 3;
  }
}
