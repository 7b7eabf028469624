import { readFile } from "node:fs/promises";
import { readIndexRows } from "#features/visitors/index/rebuild.ts";
import { lockProject } from "#features/visitors/index/project-row.ts";
import { type Database, openDatabase } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { buildIndex } from "./bulk.ts";
import { loadDocent } from "./docent.ts";
import { docentEngines, lastRanges } from "./engines.ts";
import { type DataShape, generateViews } from "./generate.ts";
import { measureInTurn, type Timing } from "./measure.ts";

// One process for each half of the work on a project that is too large to be folded view by view here, so that the memory of
// the queries does not include that of building the data:
//   large-project.ts build FILE SHAPE           → {projectId, rows}
//   large-project.ts query FILE SHAPE PROJECT   → {timings by days, peakMb}, for Docent in normal operation
//   large-project.ts first FILE SHAPE PROJECT   → the same, without caches between calls
export interface BuiltProject {
  projectId: ProjectId;
  rows: number;
}
export interface LargeProjectTimings {
  /** The largest resident memory of a process that only runs queries. */
  peakMb: number;
  ranges: { days: number; timings: Record<string, Timing>; eightAtOnceMs: number }[];
}

const RUNS = 101;
const CHECKED_VIEWS = 50_000;

async function build(file: string, shape: DataShape): Promise<BuiltProject> {
  await using database = await open(file);
  const small = { ...shape, views: CHECKED_VIEWS };
  const folded = await loadDocent(database, generateViews(small), () => undefined);
  const built = await buildIndex(database, generateViews(small), small.views);
  if ((await rowsOf(database, folded.projectId)) !== (await rowsOf(database, built.projectId)))
    throw new Error("counts made at once are not those that folding makes");
  return await buildIndex(database, generateViews(shape), shape.views);
}

async function rowsOf(database: Database, projectId: ProjectId): Promise<string> {
  const rows = await database.transaction(async (transaction) => {
    const { index_number: index, number } = await lockProject(database, transaction, projectId);
    const labels = await transaction.selectFrom("analytics_label").selectAll().where("project", "=", number).execute();
    const paths = new Map(labels.filter(({ kind }) => kind === 1).map(({ id, text }) => [String(id), text]));
    return [...(await readIndexRows(transaction, index))].map(([key, counts]) => {
      const [day, page = "", previous] = key.split("/");
      return `${day} ${paths.get(page) ?? "site"} ${previous} ${counts}`;
    });
  });
  return rows.sort().join("\n");
}

async function query(
  file: string,
  shape: DataShape,
  { projectId, isKept }: { projectId: ProjectId; isKept: boolean },
): Promise<LargeProjectTimings> {
  await using database = await open(file);
  const engines = docentEngines("Docent, SQLite", database, projectId).slice(isKept ? 0 : 1, isKept ? 1 : 2);
  const ranges: LargeProjectTimings["ranges"] = [];
  for (const range of lastRanges(shape)) {
    const tasks = Object.fromEntries(engines.map(([name, engine]) => [name, () => engine(range)]));
    const timings = await measureInTurn(tasks, RUNS);
    const started = performance.now();
    await Promise.all(Array.from({ length: 8 }, async () => engines[0]?.[1](range)));
    ranges.push({ days: range.days, timings, eightAtOnceMs: performance.now() - started });
  }
  return { peakMb: await readPeakMb(), ranges };
}

/** The figure of `resourceUsage` includes the peak of the process that started this one. */
async function readPeakMb(): Promise<number> {
  const status = await readFile("/proc/self/status", "utf8").catch(() => "");
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  return Number(kilobytes) / 1024;
}

const open = (path: string) =>
  openDatabase({ location: { engine: "sqlite", path }, logger: silentLogger, migrate: true });

const [task, file = "", shapeText = "{}", projectId = ""] = process.argv.slice(2);
if (task === "build" || task === "query" || task === "first") {
  const shape = JSON.parse(shapeText) as DataShape;
  const asked = { projectId: projectId as ProjectId, isKept: task === "query" };
  const answer = await (task === "build" ? build(file, shape) : query(file, shape, asked));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
