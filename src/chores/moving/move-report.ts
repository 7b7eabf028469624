/** What a move left as it was, for the description of the pull request. */
export interface MoveReport {
  note(line: string): void;
  /** Places with the same message become one line. */
  add(message: string, place: { path: string; line: number | null }, detail?: string): void;
  lines(): string[];
}

const MAX_PLACES = 40;

export function createMoveReport(): MoveReport {
  const notes = new Set<string>();
  /** By message and file: the places, as written, by line and detail. */
  const found = new Map<string, Map<string, Map<string, string>>>();
  return {
    note: (line) => void notes.add(line),
    add(message, { path, line }, detail) {
      const files = found.get(message) ?? new Map<string, Map<string, string>>();
      const places = files.get(path) ?? new Map<string, string>();
      const name = places.size === 0 ? path : "";
      const place = line === null ? path : `${name}:${line}`;
      const key = `${line} ${detail}`;
      if (!places.has(key)) places.set(key, `\`${place}\`${detail === undefined ? "" : ` (${detail})`}`);
      found.set(message, files.set(path, places));
    },
    lines: () => [...notes, ...[...found].map(([message, files]) => lineOf(message, files))],
  };
}

/** `What is left out (3 places): \`api.md:4\` (Client), \`:9\`; \`index.md\`.` */
function lineOf(message: string, files: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  const count = [...files.values()].reduce((sum, { size }) => sum + size, 0);
  let left = MAX_PLACES;
  const shown: string[] = [];
  for (const places of files.values()) {
    if (left === 0) break;
    const some = [...places.values()].slice(0, left);
    left -= some.length;
    shown.push(some.join(", "));
  }
  const head = message.replace(/\.$/, "").replace(/^\p{Ll}/u, (first) => first.toUpperCase());
  const number = count > 1 ? ` (${count} places)` : "";
  const more = count > MAX_PLACES ? ` and ${count - MAX_PLACES} more places` : "";
  return `${head}${number}: ${shown.join("; ")}${more}.`;
}
