import { rmSync } from "node:fs";
import path from "node:path";
import type { ProjectId } from "#lib/ids.ts";

/** Part of the file name: a new version of the tables uses a new file, which is indexed again from the repository. */
const FORM = 2;

/** The directory of the search indexes of an instance on SQLite, inside its data directory. */
export const searchDirectory = (dataDirectory: string): string => path.join(dataDirectory, "search");

export const searchFile = (directory: string, project: ProjectId): string => fileOfForm(directory, project, FORM);

/** Removes a project's index, if it has one. A process that has it open keeps reading the unlinked file. */
export function removeSearchFile(directory: string, project: ProjectId): void {
  removeForms(directory, project, FORM);
}

/** Removes the index files that older versions of Docent created for a project. */
export function removeOlderFiles(directory: string, project: ProjectId): void {
  removeForms(directory, project, FORM - 1);
}

function removeForms(directory: string, project: ProjectId, newest: number): void {
  for (let form = 1; form <= newest; form += 1)
    for (const suffix of ["", "-wal", "-shm"]) rmSync(fileOfForm(directory, project, form) + suffix, { force: true });
}

const fileOfForm = (directory: string, project: ProjectId, form: number): string =>
  path.join(directory, `${project}.${form}.sqlite`);
