import { AppError } from "#lib/app-error.ts";
import type { SettableName } from "#features/projects/project.ts";
import { readArguments } from "./command.ts";
import { type CommandIo, printableLine, writeLine } from "./io.ts";
import { openProjects } from "./open-places.ts";
import type { ShownSettings } from "./places/projects.ts";
import { around } from "./progress.ts";

// Their names alone: the module that has them brings the store along.
const SETTABLE = Object.keys({
  contentRoot: true,
  model: true,
  instructions: true,
  draftOnFindings: true,
  unseenWords: true,
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
  if (name !== "branch" && !SETTABLE.includes(name)) {
    throw new AppError("invalid", `There is no setting "${name}". The settings are branch, ${SETTABLE.join(", ")}.`);
  }
  if (name === "branch" && text === undefined) throw new AppError("invalid", "Name the branch to publish.");
  const value = name === "branch" ? text : valueOf(name, text);
  await using place = await openProjects(values, around(io));
  const found = await place.find(named!);
  if (name === "branch") {
    const project = await place.change(found, { branch: text! });
    if (values.json) return writeLine(io.stdout, projectJson(project));
    return writeLine(io.stdout, printableLine(`${project.slug}: the site is made from ${project.branch}.`));
  }
  const project = await place.change(found, { settings: { [name]: value } });
  if (values.json) return writeLine(io.stdout, projectJson(project));
  const now = project.settings[name];
  const isSet = now !== undefined && now !== null;
  writeLine(io.stdout, printableLine(`${project.slug}: ${name} is ${isSet ? shownValue(now) : "not set"}.`));
}

/** `docent projects secret PROJECT NAME`: a provider's key from standard input, sealed at rest; nothing there takes it out. */
export async function setProjectSecret(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 2, max: 2, names: "PROJECT and NAME" });
  const [named, name = ""] = positionals;
  if (!KEY_NAME.test(name)) throw new AppError("invalid", "A key has a name like ANTHROPIC_API_KEY.");
  await using place = await openProjects(values, around(io));
  const project = await place.find(named!);
  const value = (await io.readInput()).trim() || null;
  const changed = await place.change(project, { secrets: { [name]: value } });
  if (values.json) return writeLine(io.stdout, projectJson(changed));
  writeLine(io.stdout, `${project.slug} ${value === null ? `has no ${name} any more` : `has ${name}`}.`);
}

/** `docent projects show PROJECT`: what a person looks for, a line each; with --json what is set. */
export async function showProject(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using place = await openProjects(values, around(io));
  const project = await place.find(positionals[0]!);
  if (values.json) return writeLine(io.stdout, projectJson(project, project.connection));
  for (const line of projectLines(project)) writeLine(io.stdout, line);
}

function projectJson(project: ShownSettings, connection: object | null = null): string {
  const { id, slug, name, branch, siteUrl, repositoryUrl, settings } = project;
  return JSON.stringify({
    id,
    slug,
    name,
    branch,
    siteUrl,
    repositoryUrl,
    ...(connection && { connection }),
    settings,
  });
}

/** How a host does, as `connection` has it, in the order of these lines. */
const OF_HOST = {
  kind: "Host",
  app: "App",
  state: "State",
  syncedAt: "Followed",
  triedAt: "Tried",
  webhookAt: "Webhook",
  trouble: "Trouble",
  remarks: "Remarks",
};

function projectLines({ settings, ...project }: ShownSettings): string[] {
  const { model, keys, ...others } = settings;
  const host = new Map<string, unknown>(Object.entries(project.connection ?? {}));
  const lines: [name: string, value: unknown][] = [
    ["Name", project.name],
    ["Id", project.id],
    ["Site", project.siteUrl],
    ["Access", project.access],
    ["Domains", project.domains],
    ["Repository", project.repositoryUrl],
    ["Source", project.source === project.repositoryUrl ? null : project.source],
    ["Branch", project.branch],
    ...Object.entries(OF_HOST).map(([key, name]): [string, unknown] => [name, host.get(key)]),
    ["Model", model ?? "the server's default"],
    ["Keys", keys],
    ...Object.entries(others),
  ];
  const shown = lines.filter(([, value]) => !isNothing(value));
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${printableLine(shownValue(value))}`);
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

function shownValue(value: unknown): string {
  if (typeof value === "string") return value;
  const isList = Array.isArray(value) && value.every((each) => typeof each === "string");
  return isList ? value.join(", ") : JSON.stringify(value);
}

function valueOf(name: string, text: string | undefined): unknown {
  if (text === undefined) return null;
  if (
    ["contentRoot", "model", "instructions", "mention", "previewPosts", "publicAddress", "unseenWords"].includes(name)
  )
    return text;
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
