import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import type { CorpusEntry } from "./entry.ts";
import { type Verdict, judge } from "./judge.ts";
import { files, groups } from "./repository.ts";

const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(import.meta.dirname, file), "utf8"));

/** Files of entries by theme; `about` says what each is for, `why` why an entry has its outcome. */
const themes = globSync("themes/*.json", { cwd: import.meta.dirname })
  .toSorted()
  .map((file) => {
    const { entries } = readJson(file) as { entries: CorpusEntry[] };
    return { theme: path.basename(file, ".json"), entries };
  });
/** Messages that are missed today: refused although the chores could do them. */
const MISSED_TODAY = (readJson("missed-today.json") as { messages: string[] }).messages;

/** The shares that hold today, in per cent. They only rise. */
const FLOOR = { all: 99, insideTheChores: 98 };

/** Themes of what people ordinarily ask for. */
const ORDINARY =
  /^(?:terms|links-and-redirects|pages|navigation|sections-and-callouts|fields-and-images|whole-docs|as-in-issues|as-maintainers)$/;
/** The chores could do it, and the rules refuse it: each phrasing costs code, so only the ordinary ones are understood. */
const RARE = "A rare phrasing: refused since the grammar is kept small.";
/** The least share of ordinary requests to be understood, in per cent. */
const ORDINARY_FLOOR = 90;

const tools = new Map(createAgentTools().map((tool) => [tool.name, tool]));
const toolNames = [...tools.keys()];
const judged = themes.flatMap(({ theme, entries }) =>
  entries.flatMap((entry) =>
    entry.say.map((message) => ({ theme, entry, message, ...judge(message, entry, toolNames) })),
  ),
);

function share(wanted: Verdict, of: typeof judged): number {
  return Math.floor((1000 * of.filter(({ verdict }) => verdict === wanted).length) / of.length) / 10;
}

describe("what people ask of the built-in rules", () => {
  it("is about a repository whose navigation names its pages", () => {
    const paths = [...files().keys()].map((path) => path.replace(/\.mdx?$/, ""));
    expect(
      Object.values(groups)
        .flat()
        .filter((page) => !paths.includes(page)),
    ).toEqual([]);
  });

  it("expects nothing but what the chores take", () => {
    const expected = judged.flatMap(({ entry }) =>
      "calls" in entry ? entry.calls : "either" in entry ? entry.either.filter((one) => one !== "refused").flat() : [],
    );
    const wrong = expected.filter(([tool, input]) => tools.get(tool)?.input.safeParse(input).success !== true);
    expect(wrong).toEqual([]);
  });

  it("asks for each thing once", () => {
    const messages = judged.map(({ message }) => message);
    expect(messages.filter((message, at) => messages.indexOf(message) !== at)).toEqual([]);
  });

  it("is never carried out with another meaning", () => {
    const misread = judged.filter(({ verdict }) => verdict === "misread");
    expect(misread.map(({ message, got }) => `${message}\n  became ${got}`)).toEqual([]);
  });

  it("is understood or rightly refused but for a list, and in the share that is written down here", () => {
    const inside = judged.filter(({ entry }) => "calls" in entry);
    const measured = { all: share("right", judged), insideTheChores: share("right", inside) };
    const missed = judged
      .filter(({ verdict }) => verdict === "missed")
      .map(({ theme, message }) => `${theme}: ${message}`);
    expect(missed.toSorted()).toEqual(MISSED_TODAY);
    expect(measured.all).toBeGreaterThanOrEqual(FLOOR.all);
    expect(measured.insideTheChores).toBeGreaterThanOrEqual(FLOOR.insideTheChores);
  });

  it("is understood where it is ordinary", () => {
    const asked = judged.filter(({ theme, entry }) => ORDINARY.test(theme) && ("calls" in entry || entry.why === RARE));
    const understood = asked.filter(({ entry, verdict }) => "calls" in entry && verdict === "right");
    expect(asked.length).toBeGreaterThan(500);
    expect((100 * understood.length) / asked.length).toBeGreaterThanOrEqual(ORDINARY_FLOOR);
  });
});
