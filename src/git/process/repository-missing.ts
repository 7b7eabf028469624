import { existsSync } from "node:fs";
import path from "node:path";
import { AppError } from "#lib/app-error.ts";

/** The folder of a project's repository is not there: lost, or on a volume that is not mounted. */
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

/** A repository's place as it may be told to anybody: below the data directory. */
export const shownDirectory = (directory: string) => path.join("repositories", path.basename(directory));

/** What a program could not be started in a folder for: Node says ENOENT of the program when the folder is missing. */
export function startFailure(directory: string | undefined, otherwise: string, cause: unknown): AppError {
  if (directory !== undefined && !existsSync(directory)) return new RepositoryMissing(directory, cause);
  return new AppError("unavailable", otherwise, { cause });
}
