import { AppError } from "#lib/app-error.ts";

/**
 * Work that found no place, as too much of the project waits already, or that the clock stopped before it had done what it
 * may do: the machine was busy with other things. That is no fault of the work, so it is given back and tried again,
 * however often.
 */
export class MachineBusy extends AppError {
  constructor(message: string) {
    super("unavailable", message, { retryAfterSeconds: 5 });
    this.name = "MachineBusy";
  }
}
