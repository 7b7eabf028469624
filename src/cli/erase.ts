import path from "node:path";
import { foldLeftSlots } from "#analytics/collect/analytics.ts";
import { addressPrefix, plainAddress } from "#analytics/client-address.ts";
import { eraseAddress, type ErasedAddress } from "#analytics/index/erase-address.ts";
import { readAnalyticsSettings } from "#analytics/settings.ts";
import { removeDamageOf, waitForJournals } from "#analytics/journal/settle-journals.ts";
import { AppError } from "#lib/app-error.ts";
import { requireProject } from "#projects/projects.ts";
import { readArguments, UsageError } from "./command.ts";
import { type CommandIo, writeLine } from "./io.ts";
import { agentsInUse, openVault, openInstance } from "./open-instance.ts";

/** `docent analytics erase`. */
export async function runErase(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(
    args,
    {
      address: { type: "string" },
      "user-agent": { type: "string", multiple: true },
      cookie: { type: "string", multiple: true },
      yes: { type: "boolean" },
    },
    { min: 1, max: 1, names: "one PROJECT" },
  );
  const address = plainAddress(values.address ?? "");
  if (address === null) throw new UsageError("analytics erase takes --address with an IPv4 or IPv6 address.");
  const who = addressPrefix(address);
  await using instance = await openInstance(values);
  const { id, slug } = await requireProject(instance, positionals[0]!);
  const isWanted = values.yes === true || (await io.confirm(`Erase all that ${slug} stores of the readers of ${who}?`));
  if (isWanted === null) throw new AppError("conflict", `Nothing was erased. Say --yes to erase ${who} for good.`);
  if (!isWanted) return writeLine(io.stderr, "Nothing was erased.");

  const { dataDirectory } = instance.config;
  const vault = await openVault(instance);
  const journals = path.join(dataDirectory, "journal");
  await foldLeftSlots({ ...instance, dataDirectory, vault, location: null }, journals);
  const isSettled = await waitForJournals(journals, { signal: io.signal });
  const damagedFiles = await removeDamageOf(journals, address);
  const settings = await readAnalyticsSettings(instance.database.kysely, id);
  const erased = await eraseAddress(
    { ...instance, vault, agents: agentsInUse(instance) },
    {
      projectId: id,
      address,
      userAgents: values["user-agent"] ?? [],
      cookies: values.cookie ?? [],
      signal: io.signal,
    },
  );
  const notReached = limits(erased, { isSettled, hasCookies: settings?.identity === "cookie" && !values.cookie });
  const { visitors, views, days, feedback } = erased;
  if (values.json) {
    const said = { address: who, visitors, views, days, feedback, damagedFiles, notReached };
    return writeLine(io.stdout, JSON.stringify(said));
  }
  const counts = `${views.toLocaleString("en")} views on ${days.toLocaleString("en")} days under ${visitors.toLocaleString("en")} visitor numbers`;
  writeLine(
    io.stdout,
    `Erased of ${who} in ${slug}: ${counts}${feedback > 0 ? `, ${feedback.toLocaleString("en")} of their votes and comments` : ""}${damagedFiles > 0 ? `, ${damagedFiles} damaged files` : ""}.`,
  );
  for (const limit of notReached) writeLine(io.stdout, `Not reached: ${limit}`);
}

/** What may be left, in words. */
function limits(
  erased: ErasedAddress,
  { isSettled, hasCookies }: { isSettled: boolean; hasCookies: boolean },
): string[] {
  const until = erased.destroyedUntil?.toISOString().slice(0, 10);
  const sentences = [
    until !== undefined &&
      `views counted before ${until}. Their secret is destroyed, and nobody can tell any more which are of this address.`,
    hasCookies &&
      "readers who are known by a cookie. Their numbers come from the cookie alone: name its value with --cookie.",
    !isSettled && "views that still wait in the journal. Run the command again in a minute.",
    !erased.isOutOfFiles &&
      "copies in the database's write-ahead log, which somebody reads just now. The server's next checkpoint empties it.",
    "programs with a name that Docent does not know, counted before November 2026: name theirs with --user-agent.",
    "backups of the data directory and the logs of a reverse proxy.",
  ];
  return sentences.filter((sentence) => sentence !== false);
}
