import { rmSync } from "node:fs";
import path from "node:path";
import type { ProjectId } from "#lib/ids.ts";

/** Part of a file's name: another form of the tables is another file, made from the repository again. */
const FORM = 1;

/** Where the indexes of an instance on SQLite are, in its data directory. */
export const searchDirectory = (dataDirectory: string): string => path.join(dataDirectory, "search");

export const searchFile = (directory: string, project: ProjectId): string =>
  path.join(directory, `${project}.${FORM}.sqlite`);

/** Removes a project's index, where it has one. Whoever has it open reads on in what nobody else finds. */
export function removeSearchFile(directory: string, project: ProjectId): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(searchFile(directory, project) + suffix, { force: true });
}
