import { AppError } from "./app-error.ts";

/**
 * The object storage cannot be reached or refuses its requests: an outage of the server, which ends without a change to
 * the request.
 */
export class StorageUnavailable extends AppError {
  override readonly reason: string;
  /** Whether it can end by itself, unlike a wrong setting. */
  readonly isOutage: boolean;

  constructor(reason: string, { isOutage = false }: { isOutage?: boolean } = {}) {
    super("unavailable", "The server's object storage is unavailable. Try again soon.", { cause: new Error(reason) });
    this.reason = reason;
    this.isOutage = isOutage;
  }
}
