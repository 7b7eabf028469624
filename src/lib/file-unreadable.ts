import { AppError } from "./app-error.ts";

export const unreadableText = (path: string): string =>
  `${path.slice(0, 200)} cannot be read: its content is missing from the repository, or damaged.`;

/** A file of a repository whose content is missing or damaged: the other files can still be read. */
export class FileUnreadable extends AppError {
  readonly path: string;

  constructor(path: string, object: string, cause: unknown) {
    super("unavailable", unreadableText(path), {
      cause,
      reason: `It is the git object ${object}. "docent doctor" says how to restore the repository.`,
      retryAfterSeconds: 60,
    });
    this.name = "FileUnreadable";
    this.path = path;
  }
}
