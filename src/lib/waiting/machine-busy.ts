import { AppError } from "#lib/app-error.ts";

/**
 * Work found no place, as too much of the project waits already, or ran out of time before it had used what it may use: the
 * machine was busy with other things. That is no fault of the work, so it is released and tried again, however often.
 */
export class MachineBusy extends AppError {
  constructor(message: string) {
    super("unavailable", message, { retryAfterSeconds: 5 });
    this.name = "MachineBusy";
  }
}
