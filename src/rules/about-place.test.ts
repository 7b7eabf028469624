import { expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { aboutPlace, placeOfRequest } from "./about-place.ts";
import { understand } from "./understanding.ts";

const toolNames = createAgentTools().map(({ name }) => name);
const read = (request: string) => aboutPlace(placeOfRequest(request)!, (words) => understand(words, toolNames));

it.each([
  ['Replace "pinia data store" with "data store".', [["replace_term", { from: "pinia data store", to: "data store", in: ["docs/guide.md"] }]]],
  ["Fix broken links. Use sentence case for headings.", [["fix_links", { in: ["docs/guide.md"] }], ["normalise_style", { headingCase: "sentence", in: ["docs/guide.md"] }]]],
  ['Set the description to "A store."', [["set_front_matter", { page: "docs/guide.md", key: "description", value: "A store." }]]],
  ['Add a note with the text "Read this first."', [["add_callout", { page: "docs/guide.md", kind: "note", text: "Read this first." }]]],
] as const)("In docs/guide.md, line 47: %s", (request, calls) => {
  const found = read(`In docs/guide.md, line 47: ${request}`);
  expect(found.refused).toEqual([]);
  expect(found.calls.map(({ tool, input }) => [tool, input])).toEqual(calls);
}); // oxfmt-ignore

it.each(['Replace "a store" with "store" in guides/', "Remove the page quickstart", "Make it catchy", "Fix broken links except in guides/"])(
  "is refused where it names another place, or is not understood: %s",
  (request) => {
    const found = read(`In docs/guide.md, line 47: ${request}`);
    expect(found.calls).toEqual([]);
    expect(found.refused).toHaveLength(1);
  },
); // oxfmt-ignore

it("offers sentences that keep the place", () => {
  const hint = 'Replace "a" with "b"\nFix broken links';
  const refused = { calls: [], understood: [], refused: [{ clause: "x", reason: "y" }], hint };
  expect(aboutPlace(placeOfRequest("In a.md, line 3: x")!, () => refused).hint).toBe(
    'In a.md, line 3: Replace "a" with "b"\nIn a.md, line 3: Fix broken links',
  );
});

it.each(["In guides/, replace x", "Replace x in a.md, line 3", "In a.md, line 3:"])("is another request: %s", (request) => {
  expect(placeOfRequest(request)).toBeNull();
}); // oxfmt-ignore
