import { expect, test } from "vitest";
import type { ProjectId } from "#lib/ids.ts";
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
