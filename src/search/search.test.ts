import { expect, test } from "vitest";
import type { ProjectId } from "#lib/ids.ts";
import { createFairTurns } from "#lib/waiting/fair-turns.ts";
import type { FoundSection } from "./search-page.ts";
import { createSearch } from "./search.ts";

test.each([
  ["a small", 100, 3],
  ["a large", 30_000, 1],
])("reads %s vocabulary of %i words %i times in three steps of indexing", async (_, size, times) => {
  let read = 0;
  const vocabulary = Array.from({ length: size }, (__, at) => `word${at.toString(36)}x`);
  const search = createSearch({
    index: {
      find: () => Promise.resolve([]),
      vocabulary() {
        read += 1;
        return Promise.resolve(vocabulary);
      },
    },
  });
  const scope = { language: null, version: null };
  for (const edition of ["1", "2", "3", "3"]) {
    const outcomes = await Promise.all(
      [1, 2].map(() => search("prj_one" as ProjectId, { query: "wordx", scope, limit: 5, edition })),
    );
    expect(outcomes[0]).toMatchObject({ results: [], suggestions: expect.any(Array) as unknown });
  }
  expect(read).toBe(times);
});

const section = (route: string, number: number): FoundSection => ({
  route,
  anchor: `part-${number}`,
  title: "Harbour",
  heading: "Lantern",
  text: `Lantern ${number}.`,
  reference: "",
  isReference: false,
});

/** The routes of the results where an index finds these sections. */
async function resultsOf(sections: readonly FoundSection[], limit: number): Promise<string[]> {
  const index = { find: () => Promise.resolve([...sections]), vocabulary: () => Promise.resolve([]) };
  const scope = { language: null, version: null };
  const request = { query: "lantern", scope, limit, edition: "1" };
  const { results } = await createSearch({ index })("prj_one" as ProjectId, request);
  return results.map(({ route }) => route);
}

test("one page has up to three results, the second one after other pages that match equally well", async () => {
  const sections = ["/long", "/long", "/long", "/long", "/long", "/short"].map(section);
  expect(await resultsOf(sections, 10)).toEqual(["/long", "/short", "/long", "/long"]);
});

test("a search returns no more results than requested", async () => {
  expect(await resultsOf(["/a", "/b", "/c", "/d"].map(section), 2)).toEqual(["/a", "/b"]);
});

test("a search waits for steps of another project's searches, not for all of them", async () => {
  const text = `Lantern ${"ships and harbours ".repeat(200)}`;
  const found: Record<string, FoundSection[]> = {
    prj_loud: Array.from({ length: 60 }, (_, at) => ({ ...section(`/page-${at}`, 0), text })),
    prj_calm: [section("/calm", 0)],
  };
  const inTurn = createFairTurns();
  const search = createSearch({
    index: { find: (project) => Promise.resolve(found[project]!), vocabulary: () => Promise.resolve([]) },
    pause: (project) => new Promise((resolve) => inTurn(project, resolve)),
  });
  const request = { query: "lantern", scope: { language: null, version: null }, limit: 60, edition: "1" };
  const answered: string[] = [];
  await Promise.all(
    [...Array.from({ length: 20 }, () => "prj_loud"), "prj_calm"].map(async (project) => {
      await search(project as ProjectId, request);
      answered.push(project);
    }),
  );
  expect(answered.indexOf("prj_calm")).toBeLessThan(10);
});
