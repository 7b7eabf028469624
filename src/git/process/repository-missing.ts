import { existsSync } from "node:fs";
import path from "node:path";
import { AppError } from "#lib/app-error.ts";

/** The folder of a project's repository is missing: lost, or on a volume that is not mounted. */
export class RepositoryMissing extends AppError {
  constructor(directory: string, cause?: unknown) {
    super(
      "unavailable",
      `The repository of this project is missing: ${shownDirectory(directory)} in the server's data directory.`,
      {
        retryAfterSeconds: 60,
        cause,
      },
    );
    this.name = "RepositoryMissing";
  }
}

/** A repository's path relative to the data directory, which may be shown to anyone. */
export const shownDirectory = (directory: string) => path.join("repositories", path.basename(directory));

/** The error for a program that could not be started: Node reports ENOENT for the program if its folder is missing. */
export function startFailure(directory: string | undefined, otherwise: string, cause: unknown): AppError {
  if (directory !== undefined && !existsSync(directory)) return new RepositoryMissing(directory, cause);
  return new AppError("unavailable", otherwise, { cause });
}
