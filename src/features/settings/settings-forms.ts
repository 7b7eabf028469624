import type { z } from "@hono/zod-openapi";
import { ProjectChangesBody } from "#features/projects/bodies.ts";
import type { Project } from "#features/projects/project.ts";
import { AppError } from "#lib/app-error.ts";
import { type SettingField, SETTINGS_FORMS, type SettingsFormName } from "./setting-fields.ts";
import { changeWords } from "#lib/change-words.ts";
import { cutText } from "#lib/cut-text.ts";
import { parseForm } from "#kit/pages/parse-form.ts";

type Readable = Pick<Project, "name" | "slug" | "branch"> & { settings: object };
export type ProjectChangesInput = z.infer<typeof ProjectChangesBody>;

export const settingFields = (
  form: SettingsFormName,
  { codeHost }: Pick<Project, "codeHost">,
): readonly SettingField[] =>
  SETTINGS_FORMS[form].fields.filter((field: SettingField) => !field.isOfHost || codeHost !== "embedded");

/** A setting with the value of its field. */
export function readField({ path, input }: SettingField, project: Readable): string {
  const value = path
    .split(".")
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], project);
  switch (input.kind) {
    case "flag":
      return (value ?? input.usual) === true ? "yes" : "";
    case "choice":
      return String((value as string | undefined) ?? input.options[0]?.[0]);
    case "lines":
      return Array.isArray(value) ? value.join("\n") : "";
    default:
      return value === undefined ? "" : String(value as string | number).replaceAll("\r\n", "\n");
  }
}

function valueOf({ path, input }: SettingField, text: string): unknown {
  switch (input.kind) {
    case "flag":
      return (text === "yes") === input.usual ? null : !input.usual;
    case "choice":
      return text === input.options[0]?.[0] ? null : text;
    case "lines": {
      const lines = text.split(/[\r\n,]+/).flatMap((line) => line.trim() || []);
      return lines.length === 0 ? null : lines;
    }
    case "number":
      return text.trim() === "" ? null : Number(text);
    case "branch":
      return text.trim();
    case "long":
      return text.trim() === "" ? null : text;
    case "text":
      return text.trim() === "" && path.startsWith("settings.") ? null : text.trim();
  }
}

/** The changes of a form, as the body of `updateProject`. `AppError invalid` with the labels of its fields. */
export function changesOf(fields: readonly SettingField[], entered: (path: string) => string): ProjectChangesInput {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const keys = field.path.split(".");
    const last = keys.pop()!;
    const place = keys.reduce((part, key) => (part[key] ??= {}) as Record<string, unknown>, body);
    place[last] = valueOf(field, entered(field.path));
  }
  return parseForm(ProjectChangesBody, body, Object.fromEntries(fields.map(({ path, label }) => [path, label])));
}

/** Rewrites an error to the label of its field, and the entry of a list; returns other errors unchanged. */
export function inWordsOfFields(fields: readonly SettingField[], error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "invalid") return error;
  const [detail] = error.details ?? [];
  if (detail === undefined) return error;
  const at = `settings.${detail.path}`;
  const field = fields.find(({ path }) => at === path || at.startsWith(`${path}.`));
  if (field === undefined) return error;
  const entry = /^\.(\d+)$/.exec(at.slice(field.path.length))?.[1];
  const place = entry === undefined ? field.label : `${field.label}, entry ${Number(entry) + 1}`;
  return new AppError("invalid", `${place}: ${detail.message}.`, { cause: error });
}

/** The changes of fields for the audit log, each with its values. */
export const changesInWords = (fields: readonly SettingField[], before: Readable, after: Readable): string =>
  fields.map((field) => changeWords(field.label, plainValue(field, before), plainValue(field, after))).join(", ");

function plainValue(field: SettingField, project: Readable): string {
  const value = readField(field, project);
  const { input } = field;
  if (input.kind === "flag") return value === "yes" ? "on" : "off";
  if (input.kind === "choice") return input.options.find(([known]) => known === value)?.[1] ?? value;
  return input.kind === "lines" ? value.replaceAll("\n", ", ") : value;
}

const MAX_SHOWN = 120;

/** Browsers may normalize line breaks. */
const isSame = (one: string, other: string): boolean => squeezed(one) === squeezed(other);
const squeezed = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/**
 * Rejects a form if another person changed the same setting after it was loaded, and names it. `AppError
 * precondition_failed`.
 */
export function refuseOverwriting(
  fields: readonly SettingField[],
  options: { loaded(path: string): string; entered(path: string): string; current: Readable },
): void {
  const changed = fields.filter((field) => {
    const now = readField(field, options.current);
    return !isSame(now, options.loaded(field.path)) && !isSame(now, options.entered(field.path));
  });
  if (changed.length === 0) return;
  const sentences = changed.map((field) => {
    const words = (value: string) => shownValue(field, value);
    return `${field.label} was ${words(options.loaded(field.path))} and is now ${words(readField(field, options.current))}.`;
  });
  throw new AppError(
    "precondition_failed",
    `Someone changed this while you edited. ${sentences.join(" ")} Your entries are still below: save again to use them.`,
  );
}

function shownValue({ input }: SettingField, value: string): string {
  if (input.kind === "flag") return value === "yes" ? "on" : "off";
  if (input.kind === "choice") return `“${input.options.find(([known]) => known === value)?.[1] ?? value}”`;
  return value === "" ? "empty" : `“${cutText(value, MAX_SHOWN)}”`;
}
