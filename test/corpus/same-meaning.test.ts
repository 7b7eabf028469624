import { expect, it } from "vitest";
import type { ExpectedCall } from "./entry.ts";
import { pagesOutside } from "./repository.ts";
import { namesNothing, spelledAlike } from "./same-meaning.ts";

const remove = (page: string): ExpectedCall => ["remove_page", { page }];
const inPart = (options: Record<string, unknown>): ExpectedCall => ["replace_term", { from: "a", to: "b", ...options }];

it.each<[string, ExpectedCall, ExpectedCall]>([
  ["a path and its file", remove("guides/search"), remove("/guides/search.mdx")],
  ["a path and its title", remove("guides/search"), remove("Search")],
  ["a folder and its pattern", inPart({ in: ["guides/"] }), inPart({ in: ["guides/**/*.mdx"] })],
  ["every page and no limit", inPart({ in: ["**"] }), inPart({})],
  ["an exception and the rest", inPart({ except: ["api/"] }), inPart({ in: pagesOutside("api/") })],
  ["an option and its default", inPart({ includeCode: false }), inPart({})],
  ["one page and a list of one", ["set_front_matter", { page: "index", key: "tag", value: "x" }], ["set_front_matter", { in: ["index"], key: "tag", value: "x" }]],
  ["a folder to move to and the path in it", ["move_page", { page: "Search", to: "api/" }], ["move_page", { page: "guides/search", to: "api/search" }]],
])("%s mean the same", (_what, one, other) => expect(spelledAlike([one])).toEqual(spelledAlike([other]))); // oxfmt-ignore

it.each<[string, ExpectedCall, ExpectedCall]>([
  ["two pages", remove("guides/search"), remove("guides/redirects")],
  ["a folder and a folder in it", inPart({ in: ["guides/"] }), inPart({ in: ["guides/advanced/"] })],
  ["a page and all pages", inPart({ in: ["index"] }), inPart({})],
  ["two spellings of a new title", ["move_page", { page: "Search", title: "find" }], ["move_page", { page: "Search", title: "Find" }]],
  ["headings and all text", inPart({ only: "headings" }), inPart({})],
  ["code too and code not", inPart({ includeCode: true }), inPart({})],
  ["an added and a set list", ["set_front_matter", { page: "index", key: "keywords", value: ["x"], add: true }], ["set_front_matter", { page: "index", key: "keywords", value: ["x"] }]],
])("%s do not mean the same", (_what, one, other) => expect(spelledAlike([one])).not.toEqual(spelledAlike([other]))); // oxfmt-ignore

it("knows the calls that no chore can carry out, as they name something missing", () => {
  const missing = [remove("second"), remove("overview"), inPart({ in: ["tutorials/"] }), ["remove_section", { page: "quickstart", title: "Limits" }]] as const; // oxfmt-ignore
  expect(missing.filter((call) => !namesNothing(call))).toEqual([]);
  expect(namesNothing(remove("Search"))).toBe(false);
  expect(namesNothing(["remove_section", { page: "Search", title: "Limits" }])).toBe(false);
});
