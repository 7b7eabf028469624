import { AppError } from "#lib/app-error.ts";
import { readArguments } from "./command.ts";
import { type CommandIo, writeLine } from "./io.ts";
import { openProjects } from "./open-places.ts";
import { around } from "./progress.ts";

/** `docent projects access PROJECT [MODE]`: who may read the site. The password comes from standard input. */
export async function setProjectAccess(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 2, names: "PROJECT and a MODE" });
  const [named, mode] = positionals;
  if (mode !== undefined && !Object.hasOwn(WORDS, mode)) {
    throw new AppError("invalid", `MODE is one of ${Object.keys(WORDS).join(", ")}.`);
  }
  await using place = await openProjects(values, around(io));
  const project = await place.find(named!);
  const password = mode === "password" ? (await io.readInput()).replace(/\r?\n$/, "") : undefined;
  const wanted = mode !== undefined && { mode, ...(password !== undefined && { password }) };
  const { id, slug, access } = wanted ? await place.change(project, { access: wanted }) : project;
  const shown = JSON.stringify({ id, slug, mode: access });
  writeLine(io.stdout, values.json ? shown : `${slug} is ${WORDS[access] ?? access}.`);
}

const WORDS: Record<string, string> = {
  public: "public: everybody may read it",
  password: "private: it opens by its password, by links and to keys of the project",
  dashboard: "private: it opens to whoever signs in to its dashboard, by links and to keys of the project",
  links: "private: it opens by links and to keys of the project",
};
