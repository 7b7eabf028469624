import { AppError } from "#lib/app-error.ts";

/**
 * Work found no place, because too much work of the project waits already, or timed out before it had used its share of
 * processor time: the machine was busy with other work. That is not the work's fault, so it is released and retried
 * without limit.
 */
export class MachineBusy extends AppError {
  constructor(message: string) {
    super("unavailable", message, { retryAfterSeconds: 5 });
    this.name = "MachineBusy";
  }
}
