import { isSafeHref } from "./appearance.ts";
import { isJsonObject, type Json, type JsonDocument, type JsonObject, listIn } from "#docs/json-document.ts";
import { readNamedIcon, type NamedIcon } from "#docs/navigation-icon.ts";
import type { ProblemList } from "#docs/problems.ts";

/** The actions of a page's menu, by their names in docs.json. */
const ACTIONS = [
  "copy", "view", "chatgpt", "claude", "perplexity", "grok", "aistudio", "mcp", "add-mcp", "cursor", "vscode",
] as const; // oxfmt-ignore
export type PageAction = (typeof ACTIONS)[number];

/** A link from the author. `$page`, `$path` and `$mcp` in it are replaced by the page's Markdown, its path and the MCP server. */
export interface OwnAction {
  title: string;
  description: string | null;
  icon: NamedIcon | null;
  base: string;
  query: readonly { key: string; value: string }[];
}

export type PageOption = PageAction | OwnAction;

const DEFAULTS: readonly PageAction[] = ["copy", "view", "chatgpt", "claude", "perplexity", "mcp", "cursor", "vscode"];

/** Reads `contextual.options`. Absent: the default actions; an empty list: no menu. */
export function readPageOptions(
  root: JsonObject,
  document: JsonDocument,
  problems: ProblemList,
): readonly PageOption[] {
  const contextual = root["contextual"];
  const options = isJsonObject(contextual) ? contextual["options"] : undefined;
  if (!Array.isArray(options)) return DEFAULTS;
  return options.flatMap((option: Json, index) => {
    const known = ACTIONS.find((each) => each === option) ?? (isJsonObject(option) ? readOwn(option) : null);
    if (known !== null) return [known];
    const name = typeof option === "string" ? `"${option.slice(0, 60)}" is not offered here` : "is not a link";
    problems.warning(() => document.locate(options, index), `"contextual.options": ${name}. It is left out.`);
    return [];
  });
}

function readOwn(option: JsonObject): OwnAction | null {
  const href = option["href"];
  const base = isJsonObject(href) ? href["base"] : href;
  const title = text(option["title"]);
  if (title === null || typeof base !== "string" || base.length > 2_000 || !isSafeHref(base)) return null;
  const query = isJsonObject(href) ? listIn(href["query"]) : [];
  return {
    title,
    description: text(option["description"]),
    icon: readNamedIcon(option["icon"]),
    base,
    query: query.flatMap((each) => {
      if (!isJsonObject(each)) return [];
      const key = text(each["key"]);
      const value = text(each["value"]);
      return key === null || value === null ? [] : [{ key, value }];
    }),
  };
}

const text = (value: Json | undefined): string | null =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : null;
