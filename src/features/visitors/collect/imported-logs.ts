import { createHash } from "node:crypto";
import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";

/** A log that was imported, completely or in part: its first `lines` lines have this digest. */
export interface ImportedLog {
  journal: string;
  lines: number;
  digest: string;
}

const nameStart = (projectId: ProjectId) => `log ${projectId} `;

/** The name of a new log in `journal_position`. A log is identified by its whole content. */
export const logName = (projectId: ProjectId, digest: string) => `${nameStart(projectId)}${digest}`;

export async function readImportedLogs(database: Database, projectId: ProjectId): Promise<ImportedLog[]> {
  const start = nameStart(projectId);
  const rows = await database.kysely
    .selectFrom("journal_position")
    .select(["journal", "position", "digest"])
    .where("journal", "like", `${start}%`) // where "_" matches any character
    .execute();
  return rows.flatMap(({ journal, position, digest }) =>
    digest === null || !journal.startsWith(start) ? [] : [{ journal, lines: Number(position), digest }],
  );
}

const PIECE_LENGTH = 64 * 1024;

/** The digest of a log as it grows line by line. */
export function createLogDigest() {
  const hash = createHash("sha256");
  let piece = ""; // one call per line would cost four times as much
  const take = () => {
    hash.update(piece);
    piece = "";
  };
  return {
    add(line: string | null): void {
      piece += line === null ? "\0\n" : `${line}\n`;
      if (piece.length >= PIECE_LENGTH) take();
    },
    /** The digest of all lines so far. */
    text(): string {
      take();
      return hash.copy().digest("base64url");
    },
  };
}

/** Finds the longest imported log that a file begins with: call it for every line. */
export function createPrefixFinder(imported: readonly ImportedLog[]) {
  const byLines = Map.groupBy(imported, (log) => log.lines);
  let found: ImportedLog | null = null;
  return {
    found: () => found,
    /** True when the first `lines` lines are an imported log; calls `digest` only when needed. */
    look(lines: number, digest: () => string): boolean {
      const candidates = byLines.get(lines);
      if (candidates === undefined) return false;
      const match = candidates.find((log) => log.digest === digest());
      if (match) found = match;
      return match !== undefined;
    },
  };
}
