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
  const places = new Map<string, Set<string>>();
  return {
    note: (line) => void notes.add(line),
    add(message, { path, line }, detail) {
      const known = places.get(message) ?? new Set<string>();
      known.add(`\`${path}${line === null ? "" : `:${line}`}\`${detail === undefined ? "" : ` (${detail})`}`);
      places.set(message, known);
    },
    lines: () => [
      ...notes,
      ...[...places].map(([message, all]) => {
        const shown = [...all].slice(0, MAX_PLACES).join(", ");
        const more = all.size > MAX_PLACES ? ` and ${all.size - MAX_PLACES} more places` : "";
        return `${shown}${more}: ${message.replace(/\.$/, "")}.`;
      }),
    ],
  };
}
