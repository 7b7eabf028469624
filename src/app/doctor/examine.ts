import { existsSync } from "node:fs";
import type { Config } from "#app/instance/config.ts";
import { readInstanceFile } from "#app/instance/instance-file.ts";
import { publicAddress } from "#app/instance/public-address.ts";
import { checkInstance, placeOfRepositories } from "#app/instance/store.ts";
import { openDatabase } from "#db/database.ts";
import { AppError, errorText } from "#lib/app-error.ts";
import { silentLogger } from "#lib/logger.ts";
import { checkAutomations } from "./automation-checks.ts";
import { type Diagnosis, type DoctorInput, diagnose } from "./diagnosis.ts";
import { checkFiles } from "./file-checks.ts";
import { checkClock, checkDirectory, checkDisk, checkGit, checkServer, checkSettings } from "./machine-checks.ts";
import { checkModels } from "./model-checks.ts";
import { checkConnections, checkDomains, checkMail } from "./network-checks.ts";
import { checkObjectStorage } from "./object-storage-checks.ts";
import { checkRepositories } from "./repository-checks.ts";
import { checkStoredRepositories } from "./stored-repository-checks.ts";
import { checkKey, checkPages, checkSchema, checkWorkers } from "./store-checks.ts";
import { checkAgentAddresses, checkIndex, checkJournal } from "./view-checks.ts";

type Look = () => Diagnosis[] | Promise<Diagnosis[]>;

/**
 * Checks a data directory and its environment, with or without a running server, and reports each finding as it occurs.
 * Changes nothing. A check that throws counts as a problem, and the remaining checks still run.
 */
export async function examine(
  config: Config,
  {
    full,
    signal,
    progress,
    tell,
  }: Pick<DoctorInput, "full" | "signal" | "progress"> & { tell(finding: Diagnosis): void },
): Promise<void> {
  const look = async (check: string, work: Look): Promise<Diagnosis[]> => {
    progress(`Checking: ${check}`);
    const found = await Promise.resolve()
      .then(work)
      .catch((error: unknown) => {
        signal.throwIfAborted();
        return [diagnose.problem(check, errorText(error), null)];
      });
    found.forEach(tell);
    return found;
  };
  const server = readInstanceFile(config.dataDirectory)?.baseUrl ?? null;
  const [directory] = await look("directory", () => checkDirectory(config));
  if (directory?.state === "problem") return;
  const [files] = await look("files", () => checkFiles(config, { signal }));
  await look("disk", () => checkDisk(config));
  await look("git", () => checkGit({ signal }));
  await look("configuration", () => checkSettings(config, server ?? publicAddress(config, config.port)));
  await look("server", () => checkServer(server));
  if (files?.state === "problem") return; // what cannot be read looks damaged
  const { database: location } = config;
  if (location.engine === "sqlite" && !existsSync(location.path)) {
    const advice = "With PostgreSQL, set DATABASE_URL to the server's value. With SQLite, restore it, or check --data.";
    return tell(diagnose.problem("database", `The database ${location.path} is missing.`, advice));
  }
  const [pages] = await look("database", () => checkPages(config, { full }));
  if (pages?.state === "problem") return; // rows from damaged pages mean nothing
  await look("database", async () => {
    await using database = await openDatabase({ location, logger: silentLogger, migrate: false });
    const input: DoctorInput = { config, database, server, now: new Date(), full, signal, progress };
    const [schema] = await look("schema", () => checkSchema(input));
    if (schema?.state !== "ok") return [];
    const place = await placeOfRepositories(database);
    await look("instance", async () => {
      await checkInstance(database, config, { schema: "use", place });
      return [diagnose.ok("instance", "Database and data directory belong together.")];
    });
    await look("key", () => checkKey(input));
    await look("models", () => checkModels(input));
    await look("clock", () => checkClock(input));
    await look("automations", () => checkAutomations(input));
    await look("repositories", () => (place !== "directory" ? checkStoredRepositories : checkRepositories)(input));
    if (place !== "directory") await look("object storage", () => checkObjectStorage(input));
    await look("workers", () => checkWorkers(input));
    await look("journal", () => checkJournal(input));
    await look("visitor index", () => checkIndex(input));
    await look("agent addresses", () => checkAgentAddresses(input));
    await look("connections", () => checkConnections(input));
    await look("domains", () => checkDomains(input));
    await look("mail", () => checkMail(input));
    return [];
  });
}

/** `AppError` if the data directory does not exist. */
export function requireStore({ dataDirectory }: Config): void {
  if (existsSync(dataDirectory)) return;
  throw new AppError("invalid", `There is no data directory ${dataDirectory}. Say where it is with --data DIR.`);
}
