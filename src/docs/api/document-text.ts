import { backticksAround } from "#lib/backticks.ts";
import { WrittenNumber, type Json, type JsonObject } from "#docs/json-document.ts";
import { CHARACTERS } from "./bounds.ts";
import { scalarText } from "./written-number.ts";

/** How much of a description is read where only its first words are shown. */
const MAX_SUMMARIZED = 2_000;

/** A text of a document; null when the value is not a string or is blank. */
export function textOf(value: Json | undefined, maxCharacters: number): string | null {
  if (typeof value === "number" || value instanceof WrittenNumber) return String(value);
  if (typeof value !== "string") return null;
  const text = value.trim();
  return text === "" ? null : text.slice(0, maxCharacters);
}

/** The first description that one of the objects has. */
export const descriptionOf = (...objects: readonly (JsonObject | undefined)[]): string | null =>
  objects.map((object) => textOf(object?.["description"], CHARACTERS.description)).find((text) => text !== null) ??
  null;

/** A description's first paragraph without its marks, for lists. */
export function plainSummary(description: string | null): string | null {
  const paragraph = description?.slice(0, MAX_SUMMARIZED).split(/\n\s*\n/)[0] ?? "";
  const text = paragraph
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/(\*\*|__|\*|`|~~)(?=\S)(.+?)\1/g, "$2")
    .replaceAll(/^#+\s*/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return text === "" ? null : text.length > 300 ? `${text.slice(0, 299).trimEnd()}…` : text;
}

/** The description without the lead of its page; null when nothing remains. A first paragraph with links is repeated. */
export function belowLead(description: string | null, lead: string | null): string | null {
  if (description === null || lead === null || lead.endsWith("…")) return description;
  const [paragraph = ""] = description.slice(0, MAX_SUMMARIZED).split(/\n\s*\n/);
  if (plainSummary(paragraph) !== lead || /\]\(|\]\[|<|https?:/.test(paragraph)) return description;
  return textOf(description.slice(paragraph.length), description.length);
}

/** A value of a document as code. */
export function codeText(value: Json, maxCharacters: number = CHARACTERS.value): string {
  const text = scalarText(value) ?? JSON.stringify(value);
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
}

/** A text on one line. */
export function plainText(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

const MAX_PAGE_CHARACTERS = 400_000;

/** The lines of a page for agents. What is cut is in the description of the API itself. */
export function pageOfLines(lines: readonly string[], kind: "OpenAPI" | "AsyncAPI"): string {
  const text = lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  if (text.length <= MAX_PAGE_CHARACTERS) return text;
  return `${text.slice(0, MAX_PAGE_CHARACTERS)}\n\n(The rest is in the ${kind} document.)`;
}

/** A text as code within a line of Markdown, whatever it holds. */
export function codeSpan(text: string): string {
  const line = plainText(text);
  const marks = backticksAround(line, 1);
  return marks === "`" ? `\`${line}\`` : `${marks} ${line} ${marks}`;
}

/** Code as a block of Markdown. */
export function fence(language: string, code: string): string[] {
  const marks = backticksAround(code, 3);
  return [`${marks}${language}`, code, marks];
}

/** Lines below a title, as a block of Markdown; "" without lines. */
export function linesUnder(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, "", ...lines, ""];
}

export const tagLines = (tags: readonly string[]): string[] =>
  tags.length === 0 ? [] : [`Tags: ${tags.map(codeSpan).join(", ")}`, ""];

/** What stands first at an operation, a channel or a message. */
export function introLines(of: { isDeprecated: boolean; description: string | null }): string[] {
  return [
    ...(of.isDeprecated ? ["**Deprecated.**", ""] : []),
    ...(of.description === null ? [] : [of.description, ""]),
  ];
}
