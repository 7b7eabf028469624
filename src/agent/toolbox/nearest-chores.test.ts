import { expect, it } from "vitest";
import { understand } from "#rules/understanding.ts";
import { choreNames } from "./chore-calls.ts";
import { nearestChores } from "./nearest-chores.ts";

const pages = [
  { path: "introduction.mdx", title: "Introduction" },
  { path: "guides/install.mdx", title: "Install Harbor" },
];
const MOVES: [text: string, titles: string[]][] = [
  ["rename the page introduction to getting started", ['Rename the page "introduction.mdx" to "Getting started"']],
  ["Please rename our “Install Harbor” guide to set up Harbor.", ['Rename the page "guides/install.mdx" to "Set up Harbor"']],
  ["move introduction to guides", ["Move the page introduction.mdx to guides/"]],
  ["put the install page under start/setup", ["Move the page guides/install.mdx to start/setup/"]],
  ["rename introduction to guides", ['Rename the page "introduction.mdx" to "Guides"']],
  ["move guides/install to start/setup", ["Move the page guides/install.mdx to start/setup"]],
  [
    "move introduction to getting started",
    [
      'Move the page "introduction.mdx" to the group "Getting started"',
      'Rename the page "introduction.mdx" to "Getting started"',
    ],
  ],
]; // oxfmt-ignore
const first = (text: string) => nearestChores(text, pages)[0]?.title;

it("offers sentences that the built-in rules understand as the offered chores", () => {
  const texts = ["links", "heading style of the introduction", "list markers", ...MOVES.map(([text]) => text)];
  for (const { title, call } of texts.flatMap((text) => nearestChores(text, pages)))
    expect({ title, calls: understand(title, choreNames).calls }).toEqual({ title, calls: [call] });
});

it("puts the chore that the text is about first, even if it is misspelled", () => {
  expect(first("Fix teh brokn lnks")).toBe("Fix broken links");
  expect(first("the sidebra is wrong")).toBe("Repair the navigation");
  expect(first("We made a new release")).toBe("Update the changelog from the git history");
  expect(first("We ran the men up the hill")).toBe("Fix broken links"); // nothing of the menu
  expect(first("Make headings consistent")).toBe("Use sentence case for headings");
});

it("applies the first chore to the page that the text names", () => {
  expect(first("Write a better introduction, please.")).toBe("Add missing descriptions in introduction.mdx");
  expect(first("Improve install")).toBe("Fix broken links in guides/install.mdx");
});

it.each(MOVES)("puts the requested move or rename first: %s", (text, titles) => {
  const offered = nearestChores(text, pages).map(({ title }) => title);
  expect(offered.slice(0, titles.length)).toEqual(titles);
  expect(offered.slice(titles.length).filter((title) => /^(?:Move|Rename)/.test(title))).toEqual([]);
});

it.each([
  "rename the page setup to getting started",
  "rename introduction to start and fix links",
  "rename introduction to start, then stop",
])("offers no move if the text names no page, or asks for more: %s", (text) => {
  expect(first(text)).not.toMatch(/^(?:Move|Rename)/);
});

it("offers no move of a page with an ambiguous name, unless the text is its path", () => {
  const two = [
    ...pages,
    { path: "fr/introduction.mdx", title: "Introduction" },
    { path: "fr/guides/install.mdx", title: "x" },
  ];
  expect(nearestChores("rename introduction to start", two)[0]?.title).toBe(
    'Rename the page "introduction.mdx" to "Start"',
  );
  expect(nearestChores("rename install to start", two)[0]?.title).not.toMatch(/^Rename/);
});

it("offers a style change only if the text asks for one", () => {
  const titles = nearestChores("Make it nice", []).map(({ title }) => title);
  expect(titles.filter((title) => /headings|markers/.test(title))).toEqual([]);
});
