import { AppError } from "#lib/app-error.ts";

/** An invalid command line: an unknown option or word, or a wrong number of words. Exit status 2. */
export class UsageError extends AppError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super("invalid", message, options);
  }
}
