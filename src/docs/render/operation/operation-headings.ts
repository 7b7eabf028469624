import type { ParameterPlace } from "#docs/api/operation-parts.ts";
import type { Words } from "#docs/words/site-language.ts";

/** The headings of an operation's page, by their names in the table of words. */
export type HeadingWord = keyof Pick<
  Words,
  | "authorization"
  | "bindings"
  | "callbacks"
  | "messages"
  | "operations"
  | "servers"
  | "pathParameters"
  | "queryParameters"
  | "headers"
  | "cookies"
  | "body"
  | "payload"
  | "responses"
>;

export const PLACE_WORDS: Readonly<Record<ParameterPlace, HeadingWord>> = {
  path: "pathParameters",
  query: "queryParameters",
  header: "headers",
  cookie: "cookies",
};
