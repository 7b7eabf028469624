import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { failedFetchWords, readFailedFetches } from "#features/visitors/clients/failed-fetches.ts";
import { readJournalPosition } from "#features/visitors/index/fold-journal.ts";
import { listSegments, segmentName } from "#features/visitors/journal/journal.ts";
import { age, countOf, type Diagnosis, type DoctorInput, diagnose } from "./diagnosis.ts";

/** A server folds views within a second, and retries five seconds after a failure. */
const LATE_MS = 5 * 60_000;

/** Checks for views that are still in the journal, and for bytes that were set aside as damaged. */
export async function checkJournal({ config, database, server, now }: DoctorInput): Promise<Diagnosis[]> {
  const root = path.join(config.dataDirectory, "journal");
  const slots = (await readdir(root).catch((): string[] => [])).filter((name) => /^\d+$/.test(name));
  let waiting = 0;
  let oldest = now.getTime();
  let damaged = 0;
  for (const slot of slots) {
    const directory = path.join(root, slot);
    damaged += (await readdir(directory)).filter((name) => name.endsWith(".damaged")).length;
    const id = await readFile(path.join(directory, "id"), "utf8").catch(() => "");
    const folded = await readJournalPosition(database, id);
    for (const segment of await listSegments(directory)) {
      const file = await stat(path.join(directory, segmentName(segment))).catch(() => null); // folded just now
      if (file === null || segment < folded.segment) continue;
      const bytes = file.size - (segment === folded.segment ? folded.position : 0);
      if (bytes <= 0) continue;
      waiting += bytes;
      oldest = Math.min(oldest, file.mtimeMs);
    }
  }
  const found: Diagnosis[] = [];
  if (damaged > 0) {
    const words = `${countOf(damaged, "file")} of damaged views ${damaged === 1 ? "was" : "were"} set aside in ${root}.`;
    found.push(diagnose.warning("journal", words, "Check the disk. The files go by themselves after a month."));
  }
  if (server !== null && waiting > 0 && now.getTime() - oldest > LATE_MS) {
    const words = `Views wait in the journal since ${age(now.getTime() - oldest)}: ${Math.ceil(waiting / 1_000)} kB.`;
    found.push(diagnose.warning("journal", words, 'docent logs --level warn says why ("views wait in the journal").'));
  }
  const rest = waiting === 0 ? "all views are counted" : `${Math.ceil(waiting / 1_000)} kB wait to be counted`;
  return found.length > 0 ? found : [diagnose.ok("journal", `${countOf(slots.length, "journal")}, ${rest}.`)];
}

export async function checkIndex({ database }: DoctorInput): Promise<Diagnosis[]> {
  const rows = await database.kysely.selectFrom("analytics_project").select(["next_index"]).execute();
  const rebuilding = rows.filter((row) => row.next_index !== null).length;
  const rest = rebuilding === 0 ? "" : `; ${countOf(rebuilding, "is", "are")} being counted again`;
  return [diagnose.ok("visitor index", `${countOf(rows.length, "project has", "projects have")} counts${rest}.`)];
}

/** Checks whether the server fetches the lists of addresses that verify agents, where it is configured to. */
export async function checkAgentAddresses({ config }: Pick<DoctorInput, "config">): Promise<Diagnosis[]> {
  const check = "agent addresses";
  const failed = await readFailedFetches(config.dataDirectory);
  if (failed.length > 0) {
    return failed.map((each) => {
      const { words, advice } = failedFetchWords(each);
      return diagnose.warning(check, words, advice);
    });
  }
  const words = config.fetchAgentAddresses
    ? "No fetch has failed."
    : "They are not fetched (DOCENT_FETCH_AGENT_ADDRESSES).";
  return [diagnose.ok(check, words)];
}
