import { AppError } from "#lib/app-error.ts";

/** The command line itself is wrong: an option, a word, or the number of words. Ends with 2. */
export class UsageError extends AppError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super("invalid", message, options);
  }
}
