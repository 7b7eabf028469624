import { AppError } from "#lib/app-error.ts";
import type { SettableName } from "#projects/project.ts";
import { readArguments } from "./command.ts";
import { type CommandIo, writeLine } from "./io.ts";
import { openProjects } from "./open-places.ts";
import type { ShownSettings } from "./places/projects.ts";
import { around } from "./progress.ts";

// Their names alone: the module that has them brings the store along.
const SETTABLE = Object.keys({
  contentRoot: true,
  model: true,
  instructions: true,
  draftOnFindings: true,
  publicPullRequests: true,
  mention: true,
  previewPosts: true,
  publicAddress: true,
  redirectToMainDomain: true,
  apiHosts: true,
  apiProxy: true,
  models: true,
  analytics: true,
} satisfies Record<SettableName, true>);
const KEY_NAME = /^[A-Z][A-Z0-9_]{1,63}$/;

/** `docent projects set PROJECT NAME [VALUE]`: one setting, as JSON where it is not plain text; no value takes it out. */
export async function setProject(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 2, max: 3, names: "PROJECT, NAME and a VALUE" });
  const [named, name = "", text] = positionals;
  if (!SETTABLE.includes(name)) {
    throw new AppError("invalid", `There is no setting "${name}". The settings are ${SETTABLE.join(", ")}.`);
  }
  const value = valueOf(name, text);
  await using place = await openProjects(values, around(io));
  const project = await place.find(named!);
  print(io, await place.change(project, { settings: { [name]: value } }), values.json ?? false);
}

/** `docent projects secret PROJECT NAME`: a provider's key from standard input, sealed at rest; nothing there takes it out. */
export async function setProjectSecret(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 2, max: 2, names: "PROJECT and NAME" });
  const [named, name = ""] = positionals;
  if (!KEY_NAME.test(name)) throw new AppError("invalid", "A key has a name like ANTHROPIC_API_KEY.");
  await using place = await openProjects(values, around(io));
  const project = await place.find(named!);
  const value = (await io.readInput()).trim() || null;
  print(io, await place.change(project, { secrets: { [name]: value } }), values.json ?? false);
}

export async function showProject(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using place = await openProjects(values, around(io));
  const { connection, ...project } = await place.find(positionals[0]!);
  print(io, project, values.json ?? false, connection);
}

function print(
  io: CommandIo,
  { id, slug, settings }: Pick<ShownSettings, "id" | "slug" | "settings">,
  asJson: boolean,
  connection: object | null = null,
): void {
  const shown = { id, slug, ...(connection && { connection }), settings };
  writeLine(io.stdout, asJson ? JSON.stringify(shown) : JSON.stringify(shown, null, 2));
}

function valueOf(name: string, text: string | undefined): unknown {
  if (text === undefined) return null;
  if (["contentRoot", "model", "instructions", "mention", "previewPosts", "publicAddress"].includes(name)) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError(
      "invalid",
      `${name} takes JSON, for example ${["draftOnFindings", "publicPullRequests", "redirectToMainDomain", "apiProxy"].includes(name) ? "true" : "'{…}'"}.`,
      {
        cause,
      },
    );
  }
}
