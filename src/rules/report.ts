import type { ChoreCall } from "./chores/chore-form.ts";
import { inOwnLanguage } from "./other-languages.ts";
import type { Understanding } from "./understanding.ts";

/** Input of the tool that ends a turn. */
export interface FinishReport {
  outcome: "done" | "not_understood" | "impossible";
  title: string;
  summary: string;
  hint?: string;
}

/** The result of a chore; parsed leniently, since it was part of the conversation. */
export interface ChoreResult {
  summary: string;
  notes: string[];
  changedCount: number;
}

const MAX_TITLE = 72;
const NO_MODEL = "Made by Docent's built-in rules, which are not a language model.";
const BY_THE_CALLER = "Made by the sender of the patch, and applied unchanged.";
const WHERE_TO_LOOK =
  // On the server that runs the job, whose address the rules do not know.
  "Every sentence that the built-in rules know is on the page /reference/jobs/built-in-rules of the Docent server.";
const NO_LANGUAGE_MODEL =
  "For anything else, use a language model: /reference/jobs/models says how to set one up and choose it.";

/** `request`: the original text, for an answer in its language. */
export function notUnderstood(understanding: Understanding, request = ""): FinishReport {
  const own = inOwnLanguage(request);
  const lines = [
    ...(own === null ? [] : [own, ""]),
    "Nothing was changed. This job has no language model, and the built-in rules act only when they understand every part of a request.",
    "",
    "Not understood:",
    ...understanding.refused.map(({ clause, reason }) => `- “${clause}”: ${reason.replace(/\.$/, "")}.`),
  ];
  if (understanding.understood.length > 0) {
    lines.push("", "Understood:", ...understanding.understood.map((clause) => `- “${clause}”`));
  }
  const hint = understanding.hint;
  if (hint !== null) lines.push("", `Nearest instruction: ${hint}`);
  lines.push("", NO_LANGUAGE_MODEL);
  return {
    outcome: "not_understood",
    title: "Request not understood",
    summary: lines.join("\n"),
    hint: hint ?? own ?? WHERE_TO_LOOK,
  };
}

/** Why one chore failed, and how to solve it if rephrasing does not help. */
export interface FailedChore {
  call: ChoreCall;
  message: string;
  hint?: string;
}

export function impossible(problems: readonly FailedChore[], done: readonly ChoreResult[]): FinishReport {
  const state =
    done.length === 0
      ? "Nothing was changed: not all of the request can be carried out."
      : "The request could not be carried out to its end.";
  const lines = [state, "", ...problems.map(({ call, message }) => `- ${titleOf(call)}: ${message}`)];
  if (done.length > 0) lines.push("", "Done before:", ...done.map(({ summary }) => `- ${summary}`));
  const hint = problems.find((problem) => problem.hint !== undefined)?.hint;
  return {
    outcome: "impossible",
    title: "Request cannot be carried out",
    summary: lines.join("\n"),
    ...(hint !== undefined && { hint }),
  };
}

/** `remarks`: what the reader should know of all of it. */
export function finished(
  calls: readonly ChoreCall[],
  results: readonly ChoreResult[],
  remarks: readonly string[] = [],
): FinishReport {
  const effective = calls.filter((_call, index) => results[index] && isEffective(results[index]));
  const lines: string[] = [];
  // Lists, comments and messages show the first line alone: what changed something leads.
  const [fruitful, idle] = [results.filter(isEffective), results.filter((result) => !isEffective(result))];
  for (const { summary, notes } of [...fruitful, ...idle]) {
    lines.push(`- ${summary}.`);
    // The chore has shortened them: cut once more, the number of those left out would be wrong.
    for (const note of notes) lines.push(`  - ${note}`);
  }
  lines.push(...remarks.map((remark) => `- ${remark}`));
  const title = titleOfAll(effective.length > 0 ? effective : calls);
  const maker = calls.every(({ tool }) => tool === "apply_patch") ? BY_THE_CALLER : NO_MODEL;
  return { outcome: "done", title, summary: [...lines, "", maker].join("\n") };
}

const isEffective = ({ changedCount }: ChoreResult): boolean => changedCount > 0;

/** Titles without duplicates. */
export const titlesOf = (calls: readonly ChoreCall[]): string[] => [...new Set(calls.map(titleOf))];

function titleOfAll(calls: readonly ChoreCall[]): string {
  const titles = titlesOf(calls);
  const [first = "Update the documentation", second] = titles;
  if (titles.length === 1) return shorten(first);
  const both = titles.length === 2 && second !== undefined ? `${first}, ${lowerFirst(second)}` : "";
  if (both !== "" && both.length <= MAX_TITLE) return both;
  const more = ` and ${titles.length - 1} more ${titles.length === 2 ? "change" : "changes"}`;
  return shorten(first, MAX_TITLE - more.length) + more;
}

/** Chores as imperative sentences. `{page}` is replaced by a value of the input. */
const TITLES: Readonly<Record<string, string>> = {
  replace_term: "Replace “{from}” with “{to}”",
  check_links: "Check links",
  fix_links: "Fix broken links",
  add_page: "Add the page “{title}”",
  remove_page: "Remove the page {page}",
  add_section: "Add the section “{title}” to {page}",
  replace_section: "Replace the section “{title}” of {page}",
  remove_section: "Remove the section “{title}” from {page}",
  add_callout: "Add a {kind} to {page}",
  set_front_matter: "Set the {key} of {page}",
  add_missing_descriptions: "Add missing descriptions",
  set_alt_text: "Set the alt text of {image}",
  changelog_from_history: "Add a changelog entry",
  openapi_pages: "Add API reference pages from {file}",
  rename_group: "Rename the group “{group}” to “{to}”",
  move_group: "Move the group “{group}”",
  add_redirect: "Redirect {from} to {to}",
  remove_redirect: "Remove the redirect from {from}",
  repair_navigation: "Repair the navigation",
  report_missing_alt: "List images without alt text",
  orphan_report: "List pages outside the navigation",
  audit: "Audit the docs",
  apply_patch: "Apply a patch",
  move_to_docs_json: "Move the site to docs.json",
};

/** One chore as an imperative sentence. */
export function titleOf({ tool, input }: ChoreCall): string {
  const value = (name: string) => {
    const given = input[name];
    return typeof given === "string" ? given : "";
  };
  switch (tool) {
    case "fix_links":
      if (value("only") === "anchors") return "Fix broken anchors";
      break;
    case "move_page":
      if (input["add"] === true) return `Add ${value("page")} to “${value("group")}”`;
      return value("title") !== "" && value("to") === ""
        ? `Rename ${value("page")} to “${value("title")}”`
        : `Move ${value("page")} to ${value("to") || `“${value("group")}”`}`;
    case "set_front_matter":
      if (input["in"] !== undefined) return titleOnPart(input, value("key"));
      if (value("key") === "hidden") return `${input["value"] === true ? "Hide" : "Unhide"} ${value("page")}`;
      break;
    case "changelog_from_history":
      if (value("version") !== "") return `Add a changelog entry for ${value("version")}`;
      break;
    case "normalise_style":
      return titleOfStyle(value);
    case "undo_changes":
      if (Array.isArray(input["in"])) return `Undo the changes on ${input["in"].map(String).join(", ")}`;
      return value("of") === "all" ? "Undo the changes of this job" : "Undo the last change";
  }
  const title = TITLES[tool] ?? tool.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase());
  return title.replaceAll(/\{(\w+)\}/g, (_slot, name: string) => value(name));
}

function titleOnPart(input: Record<string, unknown>, key: string): string {
  const parts = Array.isArray(input["in"]) ? input["in"].map(String) : [];
  const where = parts.includes("**") ? "all pages" : `pages in ${parts.join(", ")}`;
  if (key === "hidden") return `${input["value"] === true ? "Hide" : "Unhide"} ${where}`;
  return `${input["value"] === null ? "Remove" : "Set"} the ${key} of ${where}`;
}

function titleOfStyle(value: (name: string) => string): string {
  const parts = [
    value("listMarker") &&
      `Use “${value("listMarker")}” ${value("insteadOf") && `instead of “${value("insteadOf")}” `}as list markers`,
    value("headingCase") && `Use ${value("headingCase")} case for headings`,
    value("glossary") && `Apply the glossary ${value("glossary")}`,
  ].filter(Boolean);
  return parts.map((part, index) => (index === 0 ? part : lowerFirst(part))).join(", ") || "Normalise the style";
}

function shorten(text: string, limit = MAX_TITLE): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).trimEnd()}…`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
