import type { LineLevel, KeptLine } from "#lib/logs/read-log.ts";

export interface LinesAsked {
  /** This level and those above it. */
  level: LineLevel;
  since: Date | null;
  limit: number;
}

/** What was logged. Throws `AppError`. */
export interface LogActions {
  /** Lines that match, newest first. */
  newest(asked: LinesAsked): Promise<KeptLine[]>;
}
