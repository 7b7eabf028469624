import { AppError } from "#lib/app-error.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { type Project, type ProjectSettings, SETTABLE, type SettableName } from "#projects/project.ts";
import { readProjectModels, sealProjectKey } from "#projects/project-models.ts";
import { requireProject, saveSettings, withSetting } from "#projects/projects.ts";
import { shownConnection } from "./project-connections.ts";
import { readArguments } from "./command.ts";
import { type CommandIo, writeLine } from "./io.ts";
import { openVault, openInstance } from "./open-instance.ts";

const KEY_NAME = /^[A-Z][A-Z0-9_]{1,63}$/;

/** `docent projects set PROJECT NAME [VALUE]`: one setting, as JSON where it is not plain text; no value takes it out. */
export async function setProject(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 2, max: 3, names: "PROJECT, NAME and a VALUE" });
  const [idOrSlug, name, text] = positionals;
  const known = SETTABLE.find((candidate) => candidate === name);
  if (!known) throw new AppError("invalid", `There is no setting "${name}". The settings are ${SETTABLE.join(", ")}.`);
  await using instance = await openInstance(values);
  const project = await requireProject(instance, idOrSlug!);
  const settings = withSetting(project.settings, known, valueOf(known, text));
  readProjectModels(await openVault(instance), { ...project, settings }); // wrong models are refused here, not in a job
  await saveSettings(instance, project, settings);
  print(io, { ...project, settings }, values.json ?? false);
}

/** `docent projects secret PROJECT NAME`: a provider's key from standard input, sealed at rest; nothing there takes it out. */
export async function setProjectSecret(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 2, max: 2, names: "PROJECT and NAME" });
  const [idOrSlug, name] = positionals;
  if (!KEY_NAME.test(name!)) throw new AppError("invalid", "A key has a name like ANTHROPIC_API_KEY.");
  await using instance = await openInstance(values);
  const project = await requireProject(instance, idOrSlug!);
  const value = (await io.readInput()).trim();
  const sealedKeys = { ...project.settings.sealedKeys };
  if (value === "") delete sealedKeys[name!];
  else
    sealedKeys[name!] = sealProjectKey(await openVault(instance), project, { name: name!, value: new Secret(value) });
  const settings = { ...project.settings, sealedKeys };
  await saveSettings(instance, project, settings);
  print(io, { ...project, settings }, values.json ?? false);
}

export async function showProject(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using instance = await openInstance(values);
  const project = await requireProject(instance, positionals[0]!);
  print(io, project, values.json ?? false, await shownConnection(instance, project));
}

function print(io: CommandIo, project: Project, asJson: boolean, connection: object | null = null): void {
  const { id, slug } = project;
  const shown = { id, slug, ...(connection && { connection }), settings: shownSettings(project.settings) };
  writeLine(io.stdout, asJson ? JSON.stringify(shown) : JSON.stringify(shown, null, 2));
}

/** A stored key shows by its name alone. */
function shownSettings({ sealedKeys = {}, ...settings }: ProjectSettings) {
  return { ...settings, keys: Object.keys(sealedKeys) };
}

function valueOf(name: SettableName, text: string | undefined): unknown {
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
