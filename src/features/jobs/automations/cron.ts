import { Cron } from "croner";
import { AppError } from "#lib/app-error.ts";

/** When an automation runs: five cron fields (minute, hour, day, month, weekday), read in an IANA time zone. */
export interface Schedule {
  cron: string;
  timeZone: string;
}

const MAX_CRON_LENGTH = 100;

/**
 * The first slot after an instant; null when the schedule never runs again. When clocks go forward, a fixed time that
 * does not exist moves to the next time that does; when they go back, a fixed time runs once. Schedules with a wildcard
 * or step follow real time in both cases.
 */
export function nextSlot(schedule: Schedule, after: Date): Date | null {
  return parse(schedule).nextRun(after);
}

/** `AppError invalid` for a schedule that cannot be parsed or never runs. */
export function checkSchedule(schedule: Schedule, now: Date): void {
  if (!isTimeZone(schedule.timeZone)) {
    throw wrong(
      "trigger.timeZone",
      `There is no time zone "${schedule.timeZone.slice(0, 60)}". Use a name such as UTC or Europe/Berlin`,
    );
  }
  if (schedule.cron.length > MAX_CRON_LENGTH || schedule.cron.trim().split(/\s+/).length !== 5) {
    throw wrong("trigger.cron", "A schedule has five fields: minute, hour, day of the month, month, day of the week");
  }
  let slot: Date | null;
  try {
    slot = nextSlot(schedule, now);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, "").replace(/\.$/, "") : "";
    throw wrong("trigger.cron", `The schedule cannot be read: ${reason}`, error);
  }
  if (!slot) throw wrong("trigger.cron", "This schedule never comes");
}

function parse({ cron, timeZone }: Schedule): Cron {
  // Lists and ranges of hours are fixed times too, as in Vixie cron; only * and steps follow real time.
  return new Cron(cron, { timezone: timeZone, mode: "5-part", fixedTimeRule: "no-wildcard", paused: true });
}

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function wrong(path: string, message: string, cause?: unknown): AppError {
  return new AppError("invalid", `${message}.`, { details: [{ path, message }], cause });
}
