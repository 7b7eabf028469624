import { hash as hashOf } from "node:crypto";
import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "#db/database.ts";
import { createTrustedTime, type TrustedTime } from "#db/trusted-time.ts";
import { pathInProject } from "#features/projects/site/external-site.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { parseLogLine, viewOfRequest, readLogLines } from "./access-log.ts";
import { type AgentList, builtInAgents } from "#features/visitors/clients/agent-list.ts";
import { createClassifier } from "#features/visitors/clients/classify.ts";
import { dayOf, dayText } from "#features/visitors/day.ts";
import { createFold, JournalMoved } from "#features/visitors/index/fold.ts";
import { firstKeptDay, readAnalyticsSettings } from "#features/visitors/settings.ts";
import { createLogDigest, createPrefixFinder, logName, readImportedLogs } from "./imported-logs.ts";
import type { ViewRecord } from "#features/visitors/view-record.ts";

/** The results for the lines of a log: all fields except `lines`, `malformedLines` and `share` add up to `lines`. */
export interface ImportProgress {
  lines: number;
  /** Views that count, human or AI. */
  counted: number;
  /** Views by crawlers and programs: stored, but not counted. */
  uncounted: number;
  /** Lines that an earlier import has processed, of this log or of another one with the same line. */
  known: number;
  /** Views from before the first day that the project keeps. */
  tooOld: number;
  /** Views from addresses that the project excludes, or of a project that counts nothing. */
  refused: number;
  /** Requests that are not views: assets, redirects, errors, missing pages, other methods, paths outside of the site. */
  otherRequests: number;
  malformed: number;
  empty: number;
  /** Line numbers of the first malformed lines. */
  malformedLines: number[];
  /** The fraction of the file that was read, 0 to 1. */
  share: number;
}

/** The effect of an import, found by reading the file once. */
export interface ImportPlan {
  file: string;
  sizeBytes: number;
  lines: number;
  /** Lines at the start that an earlier import of this log has processed. */
  done: number;
  /** Name of the log in `journal_position`. */
  journal: string;
  /** Views among the other lines. */
  views: number;
  /** Those of them that the project's retention would drop. */
  tooOld: number;
  keptFrom: number;
  retentionDays: number;
  /** See `AnalyticsSettings`; requests outside of it are of other pages. */
  siteBase: string | null;
}

interface ImportDeps {
  database: Database;
  clock: Clock;
  /** Decrypts the visitor secrets. */
  vault: KeyVault;
  /** The list of agents in use; what comes with Docent by default. */
  agents?: AgentList;
  time?: TrustedTime;
}

interface ImportOptions {
  plan: ImportPlan;
  projectId: ProjectId;
  /** Continues although some views are too old to be kept. */
  dropOlder: boolean;
  onProgress?: (progress: ImportProgress) => void;
  signal?: AbortSignal;
}

const BATCH = 2_000;
const MAX_MALFORMED_LINES = 10;
const MAX_REPEATS = 100_000;

/**
 * Reads a log and returns the effect of an import of it; changes nothing. A log is identified by its whole content: one
 * that was imported in part, or has grown since, continues where it was. Throws `AppError invalid` for an unreadable
 * file.
 */
export async function planImport(
  { database, clock, time = createTrustedTime({ database, clock }) }: Omit<ImportDeps, "vault">,
  { projectId, file, signal }: { projectId: ProjectId; file: string; signal?: AbortSignal },
): Promise<ImportPlan> {
  const sizeBytes = (await stat(file).catch(() => null))?.size;
  if (sizeBytes === undefined) throw new AppError("invalid", `There is no file ${file}.`);
  const settings = await readAnalyticsSettings(database.kysely, projectId);
  if (settings === null) throw new AppError("not_found", "There is no such project.");
  const keptFrom = firstKeptDay(await time.now(), settings);
  const prefix = createPrefixFinder(await readImportedLogs(database, projectId));
  const digest = createLogDigest();
  const plan = { lines: 0, views: 0, tooOld: 0 };
  for await (const { text } of readLogLines(file, () => undefined)) {
    signal?.throwIfAborted();
    plan.lines++;
    digest.add(text);
    const view = viewOfLine(text, settings.siteBase);
    if (view) plan.views++;
    if (view && dayOf(view.time) < keptFrom) plan.tooOld++;
    if (prefix.look(plan.lines, digest.text)) [plan.views, plan.tooOld] = [0, 0];
  }
  const known = prefix.found();
  return {
    ...plan,
    file,
    sizeBytes,
    done: known?.lines ?? 0,
    journal: known?.journal ?? logName(projectId, digest.text()),
    keptFrom,
    retentionDays: settings.retentionDays,
    siteBase: settings.siteBase,
  };
}

/** The warning before views are dropped; null when none would be. */
export function droppedViews({ views, tooOld, keptFrom, retentionDays }: ImportPlan): string | null {
  if (tooOld === 0) return null;
  const [some, all] = [tooOld.toLocaleString("en"), views.toLocaleString("en")];
  return `${some} of the ${all} views in this log are from before ${dayText(keptFrom)}: the project keeps ${retentionDays} days, and they would be dropped.`;
}

/**
 * Imports an access log (combined, common, or JSON lines; gzip or not) into a project's counts, as planned. The
 * progress is part of each transaction: a killed import resumes, the same log again changes nothing, a log that grew
 * adds only new lines. Lines that another log has, too, count once. Throws `AppError conflict` while another process
 * imports it, and before doing anything where views would be dropped without `dropOlder`; `not_found` when the project
 * is deleted meanwhile.
 */
export async function importLog(
  deps: ImportDeps,
  { plan, projectId, dropOlder, onProgress, signal }: ImportOptions,
): Promise<ImportProgress> {
  const dropped = droppedViews(plan);
  if (dropped !== null && !dropOlder) throw new AppError("conflict", dropped);
  const fold = createFold({ ...deps, classify: createClassifier((deps.agents ?? builtInAgents).agents) });
  const eventOf = createLineEvents();
  const digest = createLogDigest();
  const progress = emptyProgress();
  let readBytes = 0;
  let done = plan.done;
  let batch: ViewRecord[] = [];

  const flush = async (line: number) => {
    const started = performance.now();
    const [from, position] = [done, line].map((lines) => ({ segment: 0, position: lines })) as [Place, Place];
    const step = { journal: plan.journal, from, position, digest: digest.text() };
    const outcome = await fold.fold(batch, step).catch(async (error: unknown) => {
      await requireKept(deps, { plan, projectId });
      if (!(error instanceof JournalMoved)) throw error;
      throw new AppError(
        "conflict",
        "This log is being imported by another process. Nothing is lost; wait for that one.",
      );
    });
    if (outcome.refused > 0) await requireKept(deps, { plan, projectId });
    for (const name of ["counted", "uncounted", "known", "tooOld", "refused"] as const) progress[name] += outcome[name];
    done = line;
    batch = [];
    progress.share = plan.sizeBytes === 0 ? 1 : Math.min(1, readBytes / plan.sizeBytes);
    onProgress?.(progress);
    // A server may write to the same store: it gets a turn.
    await sleep(Math.min(50, (performance.now() - started) / 4));
  };

  for await (const { text } of readLogLines(plan.file, (bytes) => (readBytes = bytes))) {
    signal?.throwIfAborted();
    progress.lines++;
    digest.add(text);
    const event = eventOf(text ?? "");
    if (progress.lines <= plan.done) {
      progress.known++;
      continue;
    }
    const logged = text === null ? null : parseLogLine(text);
    const view = logged && viewBelow(plan.siteBase, logged);
    if (view) batch.push({ ...view, project: projectId, event });
    else if (logged) progress.otherRequests++;
    else noteUnread(progress, text);
    if (batch.length >= BATCH) await flush(progress.lines);
  }
  if (progress.lines > done) await flush(progress.lines);
  progress.share = 1;
  return progress;
}

/**
 * `AppError not_found` when the project was deleted since the plan. Also removes what the import recorded after that.
 */
async function requireKept(
  { database: { kysely } }: Pick<ImportDeps, "database">,
  { plan, projectId }: Pick<ImportOptions, "plan" | "projectId">,
): Promise<void> {
  if ((await readAnalyticsSettings(kysely, projectId)) !== null) return;
  await kysely.deleteFrom("journal_position").where("journal", "=", plan.journal).execute();
  throw new AppError("not_found", "The project was deleted while its log was imported. Nothing of it is kept.");
}

interface Place {
  segment: number;
  position: number;
}

const emptyProgress = (): ImportProgress => ({
  lines: 0,
  counted: 0,
  uncounted: 0,
  known: 0,
  tooOld: 0,
  refused: 0,
  otherRequests: 0,
  malformed: 0,
  empty: 0,
  malformedLines: [],
  share: 0,
});

function viewOfLine(text: string | null, base: string | null) {
  const logged = text === null ? null : parseLogLine(text);
  return logged && viewBelow(base, logged);
}

/** A log of a host has more than the docs that it publishes below a path. */
function viewBelow(base: string | null, logged: Parameters<typeof viewOfRequest>[0]) {
  const view = viewOfRequest(logged);
  const path = view && pathInProject(base, view.path);
  return view && path !== null ? { ...view, path } : null;
}

function noteUnread(progress: ImportProgress, text: string | null): void {
  if (text === "") progress.empty++;
  else {
    progress.malformed++;
    if (progress.malformedLines.length < MAX_MALFORMED_LINES) progress.malformedLines.push(progress.lines);
  }
}

/** An id for each line that is the same in every file with that line; equal adjacent lines get distinct ids. */
function createLineEvents(): (line: string) => string {
  let repeats = new Map<string, number>();
  return (line) => {
    const hash = hashOf("sha256", line, "base64url");
    const before = repeats.get(hash) ?? 0;
    if (repeats.size > MAX_REPEATS) repeats = new Map();
    repeats.set(hash, before + 1);
    return `log ${hash} ${before}`;
  };
}
