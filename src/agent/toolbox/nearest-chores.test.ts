import { expect, it } from "vitest";
import { understand } from "#rules/understanding.ts";
import { choreNames } from "./chore-calls.ts";
import { nearestChores } from "./nearest-chores.ts";

const pages = [
  { path: "introduction.mdx", title: "Introduction" },
  { path: "guides/install.mdx", title: "Install Harbor" },
];
const first = (text: string) => nearestChores(text, pages)[0]?.title;

it("offers sentences that the built-in rules understand as these chores", () => {
  const texts = ["links", "heading style of the introduction", "list markers"];
  for (const { title, call } of texts.flatMap((text) => nearestChores(text, pages)))
    expect({ title, calls: understand(title, choreNames).calls }).toEqual({ title, calls: [call] });
});

it("begins with what the text is about, also where it is misspelt", () => {
  expect(first("Fix teh brokn lnks")).toBe("Fix broken links");
  expect(first("the sidebra is wrong")).toBe("Repair the navigation");
  expect(first("We made a new release")).toBe("Update the changelog from the git history");
  expect(first("Make headings consistent")).toBe("Use sentence case for headings");
});

it("begins with the page that the text names", () => {
  expect(first("Write a better introduction, please.")).toBe("Add missing descriptions in introduction.mdx");
  expect(first("Improve install")).toBe("Fix broken links in guides/install.mdx");
});

it("offers a change of style only where it is asked for", () => {
  const titles = nearestChores("Make it nice", []).map(({ title }) => title);
  expect(titles.filter((title) => /headings|markers/.test(title))).toEqual([]);
});
