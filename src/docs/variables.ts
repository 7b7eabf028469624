import { createHash } from "node:crypto";

/** Variables of `docs.json`, for `{{name}}` in pages, front matter and the configuration itself. */
export type Variables = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{\{[ \t]{0,10}([\w.-]{1,100})[ \t]{0,10}\}\}/g;

export const isVariableName = (name: string): boolean => /^[\w.-]{1,100}$/.test(name);

// Otherwise a file of `{{a}}` could become a thousand times as long.
const MAX_FILLED_CHARACTERS = 200_000;

/** How many characters of values may still be inserted. */
export interface Filling {
  left: number;
}

export const newFilling = (left = MAX_FILLED_CHARACTERS): Filling => ({ left });

/**
 * Replaces each `{{name}}` that has a value and leaves others unchanged, also those for which `filling` has no room. Values
 * are inserted as one line.
 */
export function fillVariables(text: string, variables: Variables, filling = newFilling()): string {
  if (!text.includes("{{")) return text;
  return text.replace(PLACEHOLDER, (written, name: string) => valueOf(variables, name, filling) ?? written);
}

/** Whether `fillVariables` leaves a name of a variable in a text, because there is no room for its value. */
export function lacksRoom(text: string, variables: Variables): boolean {
  const filling = newFilling();
  const names = text.includes("{{") ? text.matchAll(PLACEHOLDER) : [];
  for (const [, name = ""] of names)
    if (Object.hasOwn(variables, name) && valueOf(variables, name, filling) === null) return true;
  return false;
}

/**
 * Replaces each `{{name}}` that has a value by a token, and can reverse that: YAML would read braces, and syntax in a value,
 * as its own.
 */
export function hideVariables(text: string, variables: Variables): { text: string; fill(value: string): string } {
  const values: string[] = [];
  const filling = newFilling();
  const hidden = !text.includes("{{")
    ? text
    : text.replace(PLACEHOLDER, (written, name: string) => {
        const value = valueOf(variables, name, filling);
        return value === null ? written : `\uE000${values.push(value) - 1}\uE001`;
      });
  return {
    text: hidden,
    fill: (value) => value.replace(/\uE000(\d{1,6})\uE001/g, (token, index: string) => values[Number(index)] ?? token),
  };
}

/** A key that changes exactly when the variables do; empty without variables. */
export function variablesKey(variables: Variables): string {
  const entries = Object.entries(variables);
  if (entries.length === 0) return "";
  return ` ${createHash("sha256").update(JSON.stringify(entries)).digest("base64url").slice(0, 22)}`;
}

function valueOf(variables: Variables, name: string, filling: Filling): string | null {
  if (!Object.hasOwn(variables, name)) return null;
  const value = (variables[name] ?? "").replace(/[\r\n]+/g, " ");
  if (value.length > filling.left) return null;
  filling.left -= value.length;
  return value;
}
