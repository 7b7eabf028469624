import type { Schemas } from "#client/client.ts";
import { AppError } from "#lib/app-error.ts";
import type { SettableName } from "#features/projects/project.ts";
import { ONE_PROJECT, onProject } from "#cli/command/action.ts";
import { printableLine } from "#cli/command/io.ts";
import { printedProject, printedSettings, shownConnection } from "./printed-project.ts";

// Repeats the names, because the module that defines them imports the store.
const SETTABLE = Object.keys({
  contentRoot: true,
  model: true,
  effort: true,
  instructions: true,
  draftOnFindings: true,
  unseenWords: true,
  publicPullRequests: true,
  mention: true,
  previewPosts: true,
  publicAddress: true,
  externalSite: true,
  redirectToMainDomain: true,
  apiHosts: true,
  apiProxy: true,
  webHosts: true,
  models: true,
  quotas: true,
  analytics: true,
} satisfies Record<SettableName, true>);
/** Fields of a project that are not settings. */
const OWN = ["name", "slug", "branch"] as const;
const KEY_NAME = /^[A-Z][A-Z0-9_]{1,63}$/;

/**
 * `docent projects set PROJECT NAME [VALUE]`: changes a setting, as JSON unless it is plain text. Without a value,
 * removes it.
 */
export const setProject = onProject(
  { min: 2, max: 3, names: "PROJECT, NAME and a VALUE" },
  {},
  ({ words: [, name = "", text] }) => {
    const own = OWN.find((known) => known === name);
    if (own === undefined && !SETTABLE.includes(name)) {
      throw new AppError(
        "invalid",
        `There is no setting "${name}". The settings are ${[...OWN, ...SETTABLE].join(", ")}.`,
      );
    }
    if (own !== undefined && text === undefined) throw new AppError("invalid", `Enter the new ${own}.`);
    const body = own === undefined ? { settings: { [name]: valueOf(name, text) } } : { [own]: text };
    return async ({ call }) => {
      const project = await call("updateProject", { body });
      const now = Object.entries(project.settings).find(([known]) => known === name)?.[1];
      const words =
        own !== undefined
          ? `the ${own} is ${project[own]}${own === "slug" ? `, and earlier addresses redirect to ${project.siteUrl}` : ""}`
          : `${name} is ${isNothing(now) ? "not set" : shownValue(now)}`;
      return { json: printedSettings(project), text: printableLine(`${project.slug}: ${words}.`) };
    };
  },
);

/**
 * `docent projects secret PROJECT NAME`: reads a provider's key from standard input, which is stored sealed. Empty
 * input removes it.
 */
export const setProjectSecret = onProject(
  { min: 2, max: 2, names: "PROJECT and NAME" },
  {},
  ({ words: [, name = ""], io }) => {
    if (!KEY_NAME.test(name)) throw new AppError("invalid", "A key has a name like ANTHROPIC_API_KEY.");
    return async ({ call }) => {
      const value = (await io.readInput()).trim() || null;
      const project = await call("updateProject", { body: { secrets: { [name]: value } } });
      const text = `${project.slug} ${value === null ? `has no ${name} any more` : `has ${name}`}.`;
      return { json: printedSettings(project), text };
    };
  },
);

/** `docent projects archive PROJECT` and `unarchive`. */
export const archiveProject = (archived: boolean) =>
  onProject(ONE_PROJECT, {}, () => async ({ call }) => {
    const project = await call("updateProject", { body: { archived } });
    const words = archived
      ? "is archived: its site stays up, and it takes no jobs, automations or pushes"
      : "is unarchived";
    return { json: printedProject(project), text: printableLine(`${project.slug} ${words}.`) };
  });

/** `docent projects show PROJECT`: the main facts, one per line; with --json, the settings. */
export const showProject = onProject(ONE_PROJECT, {}, () => async ({ call }) => {
  const project = await call("getProject");
  return { json: printedSettings(project, project), text: projectLines(project).join("\n") };
});

/** Labels for the fields of `connection`, in output order. */
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

function projectLines({ settings, repository, connection, ...project }: Schemas["Project"]): string[] {
  const { model, ...others } = settings;
  const host = new Map<string, unknown>(Object.entries(connection ? shownConnection(connection) : {}));
  const lines: [name: string, value: unknown][] = [
    ["Name", project.name],
    ["Id", project.id],
    ["Site", project.siteUrl],
    ["Access", project.access.mode],
    ["Domains", project.domains],
    ["Repository", repository.url],
    ["Source", repository.source === repository.url ? null : repository.source],
    ["Branch", project.branch],
    ["Archived", project.archivedAt],
    ...Object.entries(OF_HOST).map(([key, name]): [string, unknown] => [name, host.get(key)]),
    ["Model", model ?? "the server's default"],
    ["Keys", project.secrets],
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
    [
      "contentRoot",
      "model",
      "effort",
      "instructions",
      "mention",
      "previewPosts",
      "publicAddress",
      "externalSite",
      "unseenWords",
    ].includes(name)
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
