import { distance } from "fastest-levenshtein";
import { expect, test } from "vitest";
import { createSpelling } from "./spelling.ts";

const PARTS = ["con", "fig", "ure", "deploy", "ment", "search", "er", "ing", "index", "ed", "page", "s", "port", "al"];
/** By frequency, as an index returns them. */
const WORDS = PARTS.flatMap((first) => PARTS.flatMap((second) => PARTS.map((third) => first + second + third)));

test("finds the same words as a comparison with every word, the nearest and then the most frequent first", () => {
  const { similar } = createSpelling(WORDS);
  for (const [at, word] of WORDS.entries()) {
    if (at % 13 !== 0 || word.length < 8) continue;
    const mistaken = `${word.slice(0, 2)}x${word.slice(3)}`;
    const near = WORDS.filter((known) => distance(mistaken, known) === 1);
    expect(similar(mistaken).slice(0, near.length)).toEqual(near.slice(0, 4));
  }
  expect(similar("serachering")[0]).toBe("searchering");
  expect(similar("deploymnets")[0]).toBe("deployments");
  expect(similar("con")).toEqual([]);
});

test("reads a bounded part of a vocabulary that is designed to be slow", () => {
  const letters = Array.from("abcdefghijklmnopqrstuvwxyz");
  const flood = letters.flatMap((a) =>
    letters.flatMap((b) => letters.flatMap((c) => [`search${a}${b}${c}1`, `search${a}${b}${c}2`])),
  );
  const frequent = "searchzzzz";
  expect(createSpelling([frequent, "searching"]).similar("search")).toEqual([frequent, "searching"]);
  expect(createSpelling([frequent, ...flood]).similar("search")).not.toContain(frequent);
});
