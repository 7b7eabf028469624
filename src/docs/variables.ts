import { createHash } from "node:crypto";

/** Variables of `docs.json`, for `{{name}}` in pages, front matter and the configuration itself. */
export type Variables = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{\{[ \t]{0,10}([\w.-]{1,100})[ \t]{0,10}\}\}/g;

/** Replaces each `{{name}}` that has a value and leaves others unchanged. Values are inserted as one line. */
export function fillVariables(text: string, variables: Variables): string {
  if (!text.includes("{{")) return text;
  return text.replace(PLACEHOLDER, (written, name: string) => valueOf(variables, name) ?? written);
}

/**
 * Replaces each `{{name}}` that has a value by a token, and can reverse that: YAML would read braces, and syntax in a value,
 * as its own.
 */
export function hideVariables(text: string, variables: Variables): { text: string; fill(value: string): string } {
  const values: string[] = [];
  const hidden = !text.includes("{{")
    ? text
    : text.replace(PLACEHOLDER, (written, name: string) => {
        const value = valueOf(variables, name);
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

function valueOf(variables: Variables, name: string): string | null {
  if (!Object.hasOwn(variables, name)) return null;
  return (variables[name] ?? "").replace(/[\r\n]+/g, " ").slice(0, 10_000);
}
