import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createInProcessParser } from "#docs/in-process-parser.ts";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";
import { arbitraryRepository, type Files } from "#testing/docs-repositories.ts";
import {
  pieces,
  changedPaths,
  holdPieces,
  isSameBeforeHash,
  holdConfig,
  onlyIn,
  withTerm,
  holdTerm,
  holdFrontMatter,
  holdConfigValue,
  inGroup,
  holdEnd,
  holdOneRange,
  holdPart,
  leadsTo,
  sectionRange,
} from "#testing/held-changes.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import type { Piece } from "#testing/page-lexer.ts";

// Runs every chore on random repositories and compares its changes with its input, using the tests' own lexer.

const RUNS = LONG_TESTS ? 20 : 5;
/** Few repositories contain what some chores change: further ones are tried until one did. */
const MOST_RUNS = 100;
const SEED = 20_261_124;
const HISTORY = [{ subject: "feat: Search" }, { subject: "fix: Lists" }].map(({ subject }, index) => ({
  commit: String(index).repeat(40),
  subject,
  authoredAt: new Date("2026-11-24T00:00:00Z"),
  tags: [],
}));
const tools = createAgentTools();
const parser = createInProcessParser();

type Check = (before: Files, after: Files) => void;
interface Case {
  tool: string;
  input: Record<string, unknown>;
  /** Throws if something changed that the input does not name. */
  check: Check;
  changesNothing?: true;
  /** More runs if few repositories contain what the chore must leave alone. */
  runs?: number;
}

const GUIDES = /^guides\//;
const GUIDES_BUT_TWO = /^guides\/(?!two)/;
/** Links relative to another folder that refer to the only page with that name. */
const BY_NAME = { "/two": "/guides/two", "/reference/two": "/guides/two" };
const isMarker = (old: Piece, now: Piece) => old.kind === "mark" && old.text.replaceAll(/[-+]/g, "*") === now.text;
const isRecased = (old: Piece, now: Piece) =>
  isSameBeforeHash(old, now) || (old.kind === "heading" && old.text.toLowerCase() === now.text.toLowerCase());
const nothing: Check = (before, after) => expect(after).toEqual(before);

const cases: Case[] = [
  {
    tool: "replace_term",
    input: { from: "search", to: "lookup" },
    check(before, after) {
      holdTerm(before, after, () => true);
      holdConfig(before, after, (old, now) => withTerm(old) === now);
    },
  },
  {
    tool: "replace_term",
    input: { from: "search", to: "lookup", only: "headings" },
    check: (before, after) => holdTerm(before, after, ({ kind }) => kind === "heading"),
  },
  {
    tool: "replace_term",
    input: { from: "search", to: "lookup", only: "titles" },
    check: (before, after) =>
      holdTerm(before, after, ({ kind, key }) => kind === "front matter" && /^(?:title|sidebarTitle)$/.test(key)),
  },
  {
    tool: "replace_term",
    input: { from: "search", to: "lookup", in: ["guides"], except: ["guides/two.md"] },
    check(before, after) {
      holdTerm(before, after, (_piece, path) => /^guides\/(?!two)/.test(path));
      holdConfig(before, after, () => false);
    },
  },
  {
    tool: "normalise_style",
    input: { glossary: "terms.yml" },
    check: (before, after) => holdTerm(before, after, () => true),
  },
  {
    tool: "normalise_style",
    input: { glossary: "terms.yml", in: ["guides"] },
    check: (before, after) => holdTerm(before, after, (_piece, path) => GUIDES.test(path)),
  },
  {
    tool: "normalise_style",
    input: { listMarker: "*" },
    check: (before, after) => holdPieces(before, after, isMarker),
  },
  {
    tool: "normalise_style",
    input: { listMarker: "*", in: ["guides/*"] },
    check: holdPart(GUIDES, (before, after) => holdPieces(before, after, isMarker)),
  },
  ...(["sentence", "title"] as const).flatMap((headingCase) => [
    {
      tool: "normalise_style",
      input: { headingCase },
      check: (before: Files, after: Files) => holdPieces(before, after, isRecased),
    },
    {
      tool: "normalise_style",
      input: { headingCase, in: ["guides"] },
      check: holdPart(GUIDES, (before, after) => holdPieces(before, after, isRecased)),
    },
  ]),
  { tool: "check_links", input: {}, check: nothing, changesNothing: true },
  { tool: "audit", input: {}, check: nothing, changesNothing: true },
  { tool: "orphan_report", input: {}, check: nothing, changesNothing: true },
  { tool: "report_missing_alt", input: {}, check: nothing, changesNothing: true },
  { tool: "check_links", input: { in: ["guides"] }, check: nothing, changesNothing: true },
  { tool: "fix_links", input: {}, check: (before, after) => holdPieces(before, after, leadsTo(BY_NAME)) },
  {
    tool: "fix_links",
    input: { in: ["guides"] },
    check: holdPart(GUIDES, (before, after) => holdPieces(before, after, leadsTo(BY_NAME))),
  },
  ...["tags", "keywords", "list"].map((key) => ({
    tool: "set_front_matter",
    input: { in: ["**"], key, value: ["quick", "another one"], add: true },
    check: (before: Files, after: Files) => holdFrontMatter(before, after, key),
  })),
  { tool: "set_front_matter", input: { in: ["**"], key: "base", value: null }, check: nothing, changesNothing: true },
  ...["icon", "description", "copy", "nested", "mode", "empty", "og:title"].flatMap((key) =>
    ["new: value", null].map((value) => ({
      tool: "set_front_matter",
      input: { in: ["**"], key, value },
      check: (before: Files, after: Files) => holdFrontMatter(before, after, key),
    })),
  ),
  ...["new: value", null].map((value) => ({
    tool: "set_front_matter",
    input: { in: ["guides"], except: ["guides/two.md"], key: "icon", value },
    check: holdPart(GUIDES_BUT_TWO, (before, after) => holdFrontMatter(before, after, "icon")),
  })),
  {
    tool: "set_front_matter",
    input: { page: "guides/two.md", key: "description", value: "A new one" },
    check: holdPart(/^guides\/two\.md$/, (before, after) => holdFrontMatter(before, after, "description")),
  },
  {
    tool: "add_missing_descriptions",
    input: { in: ["guides"] },
    check: holdPart(GUIDES, (before, after) => holdFrontMatter(before, after, "description")),
    runs: MOST_RUNS,
  },
  {
    tool: "add_missing_descriptions",
    input: {},
    check: (before, after) => holdFrontMatter(before, after, "description"),
  },
  {
    tool: "set_alt_text",
    input: { image: "search.png", alt: "The console" },
    check(before, after) {
      for (const path of changedPaths(before, after)) {
        const [old, now] = [before[path], after[path]].map((text) =>
          text?.replaceAll(/!\[[^\]]*\](?=\(\/images)/g, "![]").replaceAll(' alt="The console"', ""),
        );
        expect({ [path]: now }).toEqual({ [path]: old });
      }
    },
  },
  {
    tool: "add_page",
    input: { title: "New page", text: "Words.", group: "Reference" },
    check(before, after) {
      onlyIn(before, after, ["docs.json", "reference/new-page.md"]);
      holdConfigValue(before, after, (config) => inGroup(config, "Reference").push("reference/new-page"));
      expect(after["reference/new-page.md"]?.replaceAll("\r\n", "\n")).toMatch(
        /^(?:---\ntitle: New page\n---\n\n|# New page\n\n)Words\.\n$/,
      );
    },
  },
  {
    tool: "move_page",
    input: { page: "guides/search.mdx", to: "guides/finding" },
    check(before, after) {
      const moved: Files = { ...before, "guides/finding.mdx": before["guides/search.mdx"] ?? "" };
      delete moved["guides/search.mdx"];
      holdPieces(moved, after, leadsTo({ "/guides/search": "/guides/finding" }), ["docs.json"]);
      holdConfigValue(before, after, (config) => {
        inGroup(config, "Search guides")[2] = "guides/finding";
        config.redirects = (config.redirects ?? []).map((each) => ({ ...each, destination: "/guides/finding" }));
        config.redirects.push({ source: "/guides/search", destination: "/guides/finding" });
      });
    },
  },
  {
    tool: "remove_page",
    input: { page: "guides/one.mdx", redirectTo: "guides/two.md" },
    check(before, after) {
      const { "guides/one.mdx": _removed, ...rest } = before;
      holdPieces(rest, after, leadsTo({ "/guides/one": "/guides/two" }), ["docs.json"]);
      holdConfigValue(before, after, (config) => {
        inGroup(config, "Search guides").splice(1, 1);
        config.redirects = [...(config.redirects ?? []), { source: "/guides/one", destination: "/guides/two" }];
      });
    },
  },
  {
    tool: "rename_group",
    input: { group: "Search guides", to: "Guides" },
    check(before, after) {
      onlyIn(before, after, ["docs.json"]);
      holdConfig(before, after, (old, now) => old === '"Search guides"' && now === '"Guides"');
    },
  },
  {
    tool: "move_group",
    input: { group: "Reference", position: "first" },
    check(before, after) {
      onlyIn(before, after, ["docs.json"]);
      holdConfigValue(before, after, (config) => config.navigation.groups.reverse());
    },
  },
  {
    tool: "add_redirect",
    input: { from: "/old", to: "guides/one.mdx" },
    check(before, after) {
      onlyIn(before, after, ["docs.json"]);
      holdConfigValue(before, after, (config) => {
        config.redirects = [...(config.redirects ?? []), { source: "/old", destination: "/guides/one" }];
      });
    },
  },
  {
    tool: "remove_redirect",
    input: { from: "/search" },
    check(before, after) {
      onlyIn(before, after, ["docs.json"]);
      holdConfigValue(before, after, (config) => void (config.redirects = []));
    },
  },
  {
    tool: "repair_navigation",
    input: {},
    check(before, after) {
      onlyIn(before, after, ["docs.json"]);
      holdConfigValue(before, after, (config) => inGroup(config, "Search guides").pop());
    },
  },
  {
    tool: "repair_navigation",
    input: { addOrphans: true },
    check(before, after) {
      onlyIn(before, after, ["docs.json"]);
      holdConfigValue(before, after, (config) => inGroup(config, "Search guides").push("guides/two"));
    },
  },
  {
    tool: "add_section",
    input: { page: "guides/one.mdx", title: "New", text: "Words." },
    check: holdOneRange("guides/one.mdx"),
  },
  { tool: "remove_section", input: { page: "guides/one.mdx", title: "Search" }, check: holdOneRange("guides/one.mdx") },
  {
    tool: "add_callout",
    input: { page: "guides/one.mdx", kind: "note", text: "Mind\nthis." },
    check: holdOneRange("guides/one.mdx"),
  },
  {
    tool: "add_callout",
    input: { page: "guides/two.md", kind: "note", text: "Mind\nthis." },
    check: holdOneRange("guides/two.md"),
  },
  {
    tool: "replace_section",
    input: { page: "guides/one.mdx", title: "Search", text: "Words." },
    check(before, after) {
      onlyIn(before, after, ["guides/one.mdx"]);
      const [old = "", now = ""] = [before, after].map((files) => files["guides/one.mdx"]);
      const { start, end } = sectionRange(pieces(before, "guides/one.mdx"), "search");
      expect(now.startsWith(old.slice(0, start).trimEnd())).toBe(true);
      expect(now.trimEnd().endsWith(old.slice(end).trimEnd())).toBe(true);
      holdEnd(old, now);
    },
  },
  {
    tool: "changelog_from_history",
    input: { page: "guides/two.md", version: "1.0" },
    check: holdOneRange("guides/two.md"),
  },
  {
    tool: "openapi_pages",
    input: { file: "openapi.json" },
    check(before, after) {
      onlyIn(before, after, ["docs.json", "api-reference/search.mdx"]);
      holdConfigValue(before, after, (config) =>
        config.navigation.groups.push({ group: "API reference", pages: ["api-reference/search"] }),
      );
      expect(after["api-reference/search.mdx"]).toBe(
        "---\ntitle: Search\ngeneratedFrom: openapi.json\n---\n\n## Search\n\n### `GET /search`\n\n" +
          "#### Responses\n\n##### 200\n\nFound\n",
      );
    },
  },
];

const runs = cases.map((each) => [`${each.tool} ${JSON.stringify(each.input)}`, each] as const);

describe("a chore changes only what its input names, and nothing when it runs again", () => {
  it.each(runs)("%s", async (_name, { tool, input, check, changesNothing, runs: leastRuns = RUNS }) => {
    let changed = 0;
    let runsDone = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryRepository, async (before) => {
        const isEnough = changed > 0 || changesNothing !== undefined;
        if (runsDone >= leastRuns && isEnough) return;
        runsDone += 1;
        const bench = createAgentBench(tools, before, { parser, history: HISTORY });
        const result = await bench.run(tool, input);
        const after = await bench.contents();
        const hold = result.ok ? check : nothing;
        if (changedPaths(before, after).length > 0) changed += 1;
        hold(before, after);
        await bench.run(tool, input);
        expect(await bench.contents()).toEqual(after);
      }),
      { numRuns: MOST_RUNS, seed: SEED },
    );
    expect(changed > 0).toBe(changesNothing === undefined);
  });
});
