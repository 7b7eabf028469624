import { readArguments } from "./command.ts";
import { type CommandIo, writeLine } from "./io.ts";
import { wholeNumber } from "./numbers.ts";
import { openProjects } from "./open-places.ts";
import { around } from "./progress.ts";

const DAY_SECONDS = 86_400;

/** `docent projects link PROJECT`: an address that opens a private site. */
export async function printSiteLink(args: readonly string[], io: CommandIo): Promise<void> {
  const options = { path: { type: "string" }, days: { type: "string" } } as const;
  const { values, positionals } = readArguments(args, options, { min: 1, max: 1, names: "one PROJECT" });
  const days = wholeNumber("--days", values.days ?? "7", 1, 366);
  await using place = await openProjects(values, around(io));
  const project = await place.find(positionals[0]!);
  const link = await place.makeLink(project, { path: values.path ?? "/", expiresInSeconds: days * DAY_SECONDS });
  writeLine(io.stdout, values.json ? JSON.stringify(link) : link.url);
}

/** `docent projects sign-out PROJECT`: ends every sign-in and link of the site. */
export async function endProjectVisits(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using place = await openProjects(values, around(io));
  const project = await place.find(positionals[0]!);
  await place.signReadersOut(project);
  const { id, slug } = project;
  writeLine(io.stdout, values.json ? JSON.stringify({ id, slug }) : `Every sign-in and link of ${slug} has ended.`);
}
