import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "#lib/app-error.ts";
import { LEVEL_NAMES, type LineLevel, type KeptLine } from "#lib/logs/read-log.ts";
import { type Command, readArguments, UsageError, wholeNumber } from "#cli/command/command.ts";
import { type CommandIo, printableLine, writeLine } from "#cli/command/io.ts";
import { openDocent } from "#cli/command/docent.ts";
import { choosePlace, type PlaceOptions } from "#cli/places/place.ts";
import { listenerOf } from "#cli/command/progress.ts";

interface LinesAsked {
  /** The level and those above it. */
  level: LineLevel;
  since: Date | null;
  limit: number;
}

/** Matching lines, newest first. */
type ReadNewest = (asked: LinesAsked) => Promise<KeptLine[]>;

const MAX_LINES = 10_000;
const LOOK_MS = 1_000;
/** How late a line can appear after newer ones, as from a node with a slow disk. */
const LATE_MS = 10_000;

export const logs: Command = {
  usage: `docent logs [--level LEVEL] [--since WHEN] [--limit N] [--follow]

Prints the log of \`docent serve\`, oldest line first: the last 5 to 10 MB, from every process that uses the data directory. At a
server (docent help places), it needs an instance key with the scope admin.

Options
  --level LEVEL  lines of this level and above: ${LEVEL_NAMES.join(", ")} (default: all)
  --since WHEN   lines since a time, such as 2026-11-20T12:34:56Z, or of the last 30s, 15m, 2h, 7d
  --limit N      the newest N lines, 1 to ${MAX_LINES} (default 50)
  --follow, -f   keep printing new lines, until Ctrl-C
  --data DIR     data directory (default ./data, or DOCENT_DATA)
  --json         one JSON object per line, with all fields

Example
  docent logs --level warn --since 1h`,
  async run(args, io) {
    const text = { type: "string" } as const;
    const follow = { type: "boolean", short: "f" } as const;
    const { values } = readArguments(
      args,
      { level: text, since: text, limit: text, follow },
      { min: 0, max: 0, names: "" },
    );
    const asked: LinesAsked = {
      level: levelOf(values.level ?? "trace"),
      since: values.since === undefined ? null : timeOf(values.since),
      limit: wholeNumber("--limit", values.limit ?? "50", 1, MAX_LINES),
    };
    const newest = await openLog(values, io);
    const print = (line: KeptLine) => writeLine(io.stdout, values.json ? JSON.stringify(line) : logText(line));
    if (values.follow) return followLog(newest, asked, { io, print });
    const found = await newest(asked);
    found.reverse().forEach(print);
    if (found.length === 0) writeLine(io.stderr, "Nothing was logged that matches.");
  },
};

/**
 * Opens the log at a server, or the files of a data directory. Does not open the store, because people need the log
 * when that fails.
 */
async function openLog(options: PlaceOptions, io: CommandIo): Promise<ReadNewest> {
  if (choosePlace(options).kind === "directory") return (await import("./kept-log.ts")).openKeptLog(options);
  const { all } = await openDocent(options, "instance", listenerOf(io));
  return ({ level, since, limit }) =>
    all("listLogLines", { query: { level, ...(since && { since: since.toISOString() }) } }, limit);
}

/** Runs until the signal aborts, and throws its reason. Retries while the server is down, as during a restart. */
async function followLog(
  newest: ReadNewest,
  asked: LinesAsked,
  { io, print }: { io: CommandIo; print(line: KeptLine): void },
): Promise<never> {
  const recent = (last: string | null) => {
    const since = last === null ? asked.since : new Date(Date.parse(last) - LATE_MS);
    return newest({ ...asked, since, limit: MAX_LINES });
  };
  const begin = await newest(asked);
  begin.toReversed().forEach(print);
  let last = begin[0]?.time ?? null;
  // Lines that --limit left out must not be printed later.
  let seen = new Set(last === null ? [] : (await recent(last)).flatMap(({ id, time }) => (time <= last! ? [id] : [])));
  for (let isAway = false; ;) {
    await sleep(LOOK_MS, null, { signal: io.signal });
    try {
      const lines = await recent(last);
      const wasSeen = seen;
      lines.filter(({ id }) => !wasSeen.has(id)).reverse().forEach(print); // oxfmt-ignore
      seen = new Set(lines.map(({ id }) => id));
      last = lines[0]?.time ?? last;
      isAway = false;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "unavailable") throw error;
      if (!isAway) writeLine(io.stderr, `${error.message} It is asked again.`);
      isAway = true;
    }
  }
}

/** One line of text: an error as its message, long values truncated. */
function logText({ time, level, message, node, fields }: KeptLine): string {
  const { err, ...others } = fields;
  const shown = isError(err) ? { ...others, error: err.message } : fields;
  const words = Object.entries({ ...shown, node }).map(([name, value]) => `${name}=${fieldText(value)}`);
  return printableLine([time, level.padEnd(5), message, ...words].join("  "));
}

const isError = (value: unknown): value is { message: string } =>
  typeof value === "object" && value !== null && "message" in value && typeof value.message === "string";

const MAX_FIELD = 200;

function fieldText(value: unknown): string {
  const text = typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  return text.length > MAX_FIELD ? `${text.slice(0, MAX_FIELD)}…` : text;
}

function levelOf(text: string): LineLevel {
  const level = LEVEL_NAMES.find((name) => name === text);
  if (level) return level;
  throw new UsageError(`--level takes ${LEVEL_NAMES.join(", ")}, not "${text}".`);
}

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const ISO_TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** Parses a time, or a duration before now. A date without a time starts at midnight UTC. */
function timeOf(text: string): Date {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const at =
    unit !== undefined ? Date.now() - Number(number) * UNITS[unit]! : ISO_TIME.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(at)) return new Date(at);
  throw new UsageError(`--since takes 30s, 15m, 2h, 7d or a time such as 2026-11-20T12:34:56Z, not "${text}".`);
}
