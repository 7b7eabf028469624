import { addressPrefix, plainAddress } from "#features/visitors/client-address.ts";
import { AppError } from "#lib/app-error.ts";
import { readArguments, UsageError } from "./command.ts";
import { type CommandIo, writeLine } from "./io.ts";
import { openUpkeep } from "./open-places.ts";
import { around } from "./progress.ts";

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
  await using place = await openUpkeep(values, positionals[0]!, around(io));
  const { name } = place;
  const isWanted = values.yes === true || (await io.confirm(`Erase all that ${name} stores of the readers of ${who}?`));
  if (isWanted === null) throw new AppError("conflict", `Nothing was erased. Say --yes to erase ${who} for good.`);
  if (!isWanted) return writeLine(io.stderr, "Nothing was erased.");

  const erased = await place.erase({
    address,
    userAgents: values["user-agent"] ?? [],
    cookies: values.cookie ?? [],
  });
  if (values.json) return writeLine(io.stdout, JSON.stringify(erased));
  const { visitors, views, days, feedback, damagedFiles, notReached } = erased;
  const counts = `${views.toLocaleString("en")} views on ${days.toLocaleString("en")} days under ${visitors.toLocaleString("en")} visitor numbers`;
  const votes = feedback > 0 ? `, ${feedback.toLocaleString("en")} of their votes and comments` : "";
  const damage = damagedFiles !== null && damagedFiles > 0 ? `, ${damagedFiles} damaged files` : "";
  writeLine(io.stdout, `Erased of ${who} in ${name}: ${counts}${votes}${damage}.`);
  for (const limit of notReached) writeLine(io.stdout, `Not reached: ${limit}`);
}
