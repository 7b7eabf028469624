import { listOf, aPage, REMOVE, surePage } from "#rules/grammar/lexicon.ts";
import { DOCS } from "#rules/grammar/places.ts";
import { all, type ChoreForm, given, one } from "./chore-form.ts";

const NEW_PATH =
  "([the] [path] {to:path} / [the] (folder|directory {toFolder:folder} / {toFolder:folder} folder|directory))";
/** The new target for readers. For several pages also “both” and “them”, which for a single page would include others. */
const SEND_ALL = send("them|both|these / them both / both|all of them / ");
const SEND = send("it / ");
function send(whom: string): string {
  return `([,] [and|,] [\\(] ([add|with|create] [a] redirect|point|send|redirecting|redirected [(${whom}visitors|readers / its url|address|readers|visitors / the old url|address / [the|its]* links [to it|them])] to|at ${aPage("redirectTo")}) [\\)])`;
}

export const pageForms: readonly ChoreForm[] = [
  {
    tool: "move_page",
    forms: [
      `(move|relocate|mv|put) ${listOf(aPage("page"))} [over] (to|into|->) ${NEW_PATH}`,
      `(move|relocate|mv) ${aPage("page")} ${NEW_PATH}`,
      `(move|relocate|mv) ${aPage("page")} to ${NEW_PATH} [, ${aPage("page")} to ${NEW_PATH}]* [,] [and] ${aPage("page")} to ${NEW_PATH}`,
      `${surePage("page")} should [live|be|move|go] at|to|in|under ${NEW_PATH} [[,] [please] move it]`,
      `(move|relocate) [the] guide|page from {page:path} to {to:path}`,
    ],
    honours: ["redirect"],
    example: "Move the page guides/old to start/new",
    inputs(slots) {
      const pages = all(slots, "page");
      const targets = [
        ...all(slots, "to"),
        ...all(slots, "toFolder").map((folder) => `${folder.replace(/\/+$/, "")}/`),
      ];
      if (pages.length > 1 && targets.length === 1 && !targets[0]?.endsWith("/")) return null;
      if (targets.length > 1 && pages.length !== targets.length) return null;
      return pages.map((path, at) => ({ page: path, to: targets.length === 1 ? targets[0] : targets[at] }));
    },
  },
  {
    tool: "move_page",
    forms: [
      `(move|put|relocate|place) ${listOf(aPage("page"))} [over] (to|into|under|in) [the] (group|section|category {group:group} / {group:group} group|section|category) [of|in [the] navigation|nav|sidebar]`,
      `in the navigation|nav|sidebar [,] list ${listOf(aPage("page"))} under {group:group}`,
      `(move|put|place) ${listOf(aPage("page"))} (under|into|to|in) {group:group} in the navigation|nav|sidebar`,
    ],
    example: 'Move the page guides/old to the group "Group"',
    inputs(slots) {
      const [group, pages] = [one(slots, "group"), all(slots, "page")];
      return group && !/\//.test(group) ? pages.map((page) => ({ page, group })) : null;
    },
  },
  {
    tool: "move_page",
    forms: [
      `add [the] (page {page:page.named} / {page:page.sure}) (to|into) [the] (group {group:group} / {group:group} group) [in|of [the] navigation|nav|sidebar]`,
    ],
    inputs(slots) {
      const [page, group] = [one(slots, "page"), one(slots, "group")];
      return group && !/\//.test(group) ? [{ page, group, add: true }] : null;
    },
  },
  {
    tool: "move_page",
    forms: [
      `rename [the|our] page|file|guide|article [called|titled|named] {page:page.named} to|as|into|->|: ({to:path} / {title:title} / {name:bare})`,
      `rename [the|our] {page:page} page|file|guide|article to|as|into|-> ({to:path} / {title:title} / {name:bare})`,
      `(change|set) [the] url|path|slug|address of ${aPage("page")} to {to:path}`,
      `rename {page:page.path} to|as|into|-> ({to:path} / {slug:bare})`,
      `([the] page|guide|article {page:page.named} / [the] {page:page} page|guide|article) should be (called|named|renamed [to]) {title:title}`,
    ],
    honours: ["redirect"],
    example: 'Rename the page "Title" to "New title"',
    inputs(slots) {
      const named = one(slots, "page") ?? "";
      const word = one(slots, "name") ?? one(slots, "slug");
      const path = one(slots, "to") ?? (word !== undefined && /^[a-z0-9]+(?:[-_][a-z0-9]+)+$/.test(word) ? word : undefined); // oxfmt-ignore
      const folder = named.includes("/") ? named.slice(0, named.lastIndexOf("/") + 1) : "";
      if (path !== undefined) return [{ page: named, to: path.includes("/") ? path : folder + path }];
      const title = one(slots, "title");
      return title === undefined ? null : [{ page: named, title }];
    },
  },
  {
    tool: "remove_page",
    forms: [
      `${REMOVE} ${surePage("page")} ${SEND}`,
      `${REMOVE} ${surePage("page")} [from ${DOCS}]`,
      `${REMOVE} ${surePage("page")} [,] [and] send its readers|visitors to ${aPage("redirectTo")}`,
    ],
    example: 'Remove the page "Title" and redirect it to "Other title"',
    inputs: (slots) => [given({ page: one(slots, "page"), redirectTo: one(slots, "redirectTo") })],
  },
  {
    tool: "remove_page",
    forms: [
      `${REMOVE} [the|these|following]* [pages] ${listOf("({page:page.path} / {page:quoted})")}`,
      `${REMOVE} [the|these|following]* [pages] ${listOf("({page:page.path} / {page:quoted})")} ${SEND_ALL}`,
    ],
    inputs: (slots) => {
      const pages = all(slots, "page");
      const redirectTo = one(slots, "redirectTo");
      const isList = pages.length > 1 && pages.every((path) => /\//.test(path));
      return isList ? pages.map((path) => given({ page: path, redirectTo })) : null;
    },
  },
  {
    tool: "add_page",
    forms: addPageForms(),
    example: 'Add a page titled "Title" under "Group" with the text: …',
    inputs(slots) {
      const [title, path, group, folder] = ["title", "path", "group", "folder"].map((slot) => one(slots, slot));
      const counts = ["title", "path", "group", "folder", "after", "description", "text"].map((slot) => all(slots, slot).length); // oxfmt-ignore
      if (counts.some((count) => count > 1) || title === undefined || (path && folder) || !slots["text"]) return null;
      const place = path ?? (folder === undefined ? undefined : `${folder.replace(/\/+$/, "")}/`);
      const [after, description, text] = ["after", "description", "text"].map((slot) => one(slots, slot));
      return [given({ title, path: place, group, after, description, text })];
    },
  },
];

function addPageForms(): string[] {
  const titled = "([,] [with] [the] (titled|called|named|entitled|title) [:] {title:quoted})";
  const under =
    "([,] (under|in|into|to) [the] (group|section|category {group:group} / {group:group} / {group:group} group|section|category) [of|in the sidebar|navigation|nav])";
  const at = "([,] (at|in|under) [the] [folder|directory|path] {path:path})";
  const folder = "([,] in [the] (folder|directory {folder:folder} / {folder:folder} folder|directory))";
  const after = `([,] (after|behind|below) ${aPage("after")} [in the nav|navigation|sidebar])`;
  const description = "([,] [and] [with] [the|a] description [:] {description:quoted} [and])";
  const text =
    "([,] [and] ([with] [the|this] [following] text|content|contents|body|markdown [:] / that says|reads [:] / saying|reading|containing [:] / with this [content|text] [:]) {text:quoted})";
  const details = `[${titled} / ${under} / ${at} / ${folder} / ${after} / ${description} / ${text}]*`;
  const verb = "(add|create|write|make|insert|new / (add|create|write a new))";
  return [
    `${verb} [a|the] [new] page ${details}`,
    `${verb} [a|the] [new] page {title:quoted} ${details}`,
    `${verb} [a|the] [new] page {path:path} ${details}`,
    `${verb} [a|the] [new] {title:quoted} page ${details}`,
    `(create|add) {path:path} ${details}`,
    // Without quotation marks a title certainly ends only before a group with "under".
    `${verb} [a|the] [new] page titled|called|named {title:title} [under [the] [group] {group:group}] ${text}`,
  ];
}
