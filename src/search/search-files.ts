import { rmSync } from "node:fs";
import path from "node:path";
import type { ProjectId } from "#lib/ids.ts";

/** Part of a file's name: another form of the tables is another file, made from the repository again. */
const FORM = 2;

/** Where the indexes of an instance on SQLite are, in its data directory. */
export const searchDirectory = (dataDirectory: string): string => path.join(dataDirectory, "search");

export const searchFile = (directory: string, project: ProjectId): string => fileOfForm(directory, project, FORM);

/** Removes a project's index, where it has one. Whoever has it open reads on in what nobody else finds. */
export function removeSearchFile(directory: string, project: ProjectId): void {
  removeForms(directory, project, FORM);
}

/** Removes the files that older versions of Docent made for a project. */
export function removeOlderFiles(directory: string, project: ProjectId): void {
  removeForms(directory, project, FORM - 1);
}

function removeForms(directory: string, project: ProjectId, newest: number): void {
  for (let form = 1; form <= newest; form += 1)
    for (const suffix of ["", "-wal", "-shm"]) rmSync(fileOfForm(directory, project, form) + suffix, { force: true });
}

const fileOfForm = (directory: string, project: ProjectId, form: number): string =>
  path.join(directory, `${project}.${form}.sqlite`);
