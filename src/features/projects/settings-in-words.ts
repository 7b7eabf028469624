import { changeWords } from "#lib/change-words.ts";
import type { Project } from "./project.ts";

/** Fields whose values are never logged, in addition to `secrets`: addresses of models may contain credentials. */
const WITHOUT_VALUES = new Set(["models", "password"]);

/** The changes of a body of `updateProject` for the audit log, with the values of what is no secret. */
export function settingsInWords(asked: object, { before, after }: { before: Project; after: Project }): string {
  const words: string[] = [];
  const walk = (path: readonly string[], part: object) => {
    for (const [key, value] of Object.entries(part)) {
      const at = [...path, key];
      const name = at.filter((step) => step !== "settings").join(".");
      const [was, is] = [textOf(valueAt(before, at)), textOf(valueAt(after, at))];
      if (key === "secrets") words.push(...Object.keys(value as object));
      else if (WITHOUT_VALUES.has(key) || was === null || is === null) words.push(name);
      else if (isRecord(value)) walk(at, value);
      else if (key === "mode") words.push(`${name} to “${String(value)}”`);
      else if (was !== is) words.push(changeWords(name, was, is));
    }
  };
  walk([], asked);
  return words.join(", ");
}

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function valueAt(project: Project, path: readonly string[]): unknown {
  if (path[0] === "archived") return project.archivedAt !== null;
  return path.reduce<unknown>(
    (part, key) => (isRecord(part) ? (part as Record<string, unknown>)[key] : undefined),
    project,
  );
}

/** Null for values that have no short text, such as lists of objects. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null || isRecord(value)) return "";
  if (Array.isArray(value)) return value.every((one) => typeof one === "string") ? value.join(", ") : null;
  return String(value as string | number | boolean);
}
