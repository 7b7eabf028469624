import { describe, expect, it } from "vitest";
import { namesOfRepository } from "#test/corpus/same-meaning.ts";
import { understand } from "./understanding.ts";

const toolNames = ["replace_term", "fix_links", "move_page", "set_front_matter", "add_callout", "rename_group", "remove_page"]; // oxfmt-ignore

function answer(prompt: string): { reason: string; hint: string | null } {
  const { calls, refused, hint } = understand(prompt, toolNames, namesOfRepository);
  expect(calls).toEqual([]);
  return { reason: refused[0]?.reason ?? "", hint };
}

describe("a word that is not understood", () => {
  it.each([
    ["Fix broken links quickly", "quickly", "Fix broken links"],
    ["Carefully fix broken links in guides/", "Carefully", "Fix broken links in guides/"],
    ["Fix broken links before Friday", "before Friday", "Fix broken links"],
    [
      'Replace "webhook" with "callback" everywhere properly',
      "properly",
      'Replace "webhook" with "callback" everywhere',
    ],
    ['Set the nice description of guides/search to "X"', "nice", 'Set the description of guides/search to "X"'],
    ["Quickly: hide the page guides/search", "Quickly", "Hide the page guides/search"],
  ])("of “%s” is named, and the sentence is offered without it", (prompt, word, repaired) => {
    const { reason, hint } = answer(prompt);
    expect(reason).toContain(`“${word}” is in the way`);
    expect(hint).toBe(repaired);
  });

  it.each([
    ["Undo hide the page guides/search", "Undo"],
    ["Nobody add a redirect from /a to /quickstart", "Nobody"],
    ['Anna set the title of guides/search to "A".', "Anna"],
    ['Set the German title of guides/search to "A"', "German"],
    ['Set the icon color of guides/search to "red"', "color"],
    ["Hide the page guides/search temporarily", "temporarily"],
    ["Add a temporary redirect from /promo to /quickstart", "temporary"],
  ])("of “%s” is named, and no sentence is offered without it", (prompt, word) => {
    const { reason, hint } = answer(prompt);
    expect(reason).toContain(`“${word}” is in the way`);
    expect(understand(hint ?? "", toolNames, namesOfRepository).calls).toEqual([]);
  });

  it.each([
    "Rejected: hide the page guides/search",
    'Who set the title of guides/search to "A"?',
    'Rename the page title "Search" to "Find"',
    'Replace "berth" with "slot" selectively',
    'Replace "berth" with "slot" optionally',
    "Fix broken links occasionally",
    "Fix broken links eventually",
    "Unhide the page drafts/roadmap on Monday",
    "Fix broken external links",
    'Replace the second "service" with "app" on quickstart',
    'Replace "service" with "app" in tables',
    'Replace "service" with "app" if the tests pass',
    'Replace "service" with "app" partly',
    "Remove the page guides/search unless it is linked",
    "Do not hide the page guides/search",
    "Update the changelog for 2.7.",
    'Rename it to "Find"',
    "Replace everything with nothing everywhere",
  ])("is not left out of “%s”, which would then request more", (prompt) => {
    const { hint } = answer(prompt);
    const { calls } = understand(hint ?? "", toolNames, namesOfRepository);
    expect(calls).toEqual([]);
  });
});

describe("a name of several things", () => {
  it("is offered for each thing with that name in the repository", () => {
    expect(answer("Rename Guides to Recipes").hint?.split("\n").slice(1)).toEqual([
      'Rename the group "Guides" to "Recipes"',
      'Replace "Guides" with "Recipes" everywhere',
    ]);
    expect(answer('Rename "Search" to "Find"').hint).toContain('Rename the page "Search" to "Find"');
  });

  it("is offered for the group and for all pages", () => {
    expect(answer('Replace "service" with "app" in All pages').hint?.split("\n").slice(1)).toEqual([
      'Replace "service" with "app" in the group "All pages"',
      'Replace "service" with "app" in all pages',
    ]);
  });
});

it("an answer offers the nearest example if no single word is to blame", () => {
  expect(answer("Add a warning to guides/search.").hint).toBe('Add a note to "Title" with the text "…"');
});
