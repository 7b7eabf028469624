import { createHash } from "node:crypto";

/** Values of `docs.json` for `{{name}}` in pages, front matter and the configuration itself. */
export type Variables = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{\{[ \t]{0,10}([\w.-]{1,100})[ \t]{0,10}\}\}/g;

/** The text with each `{{name}}` that has a value; others stay as they are. Values are put in as one line. */
export function fillVariables(text: string, variables: Variables): string {
  if (!text.includes("{{")) return text;
  return text.replace(PLACEHOLDER, (written, name: string) => valueOf(variables, name) ?? written);
}

/**
 * The text with a token for each `{{name}}` that has a value, and the way back: YAML would read braces, and what a value
 * holds, as syntax of its own.
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

/** The same as long as the variables are; empty where there are none. */
export function variablesKey(variables: Variables): string {
  const entries = Object.entries(variables);
  if (entries.length === 0) return "";
  return ` ${createHash("sha256").update(JSON.stringify(entries)).digest("base64url").slice(0, 22)}`;
}

function valueOf(variables: Variables, name: string): string | null {
  if (!Object.hasOwn(variables, name)) return null;
  return (variables[name] ?? "").replace(/[\r\n]+/g, " ").slice(0, 10_000);
}
