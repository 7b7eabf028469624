import { expect, it } from "vitest";
import { createProblemList } from "#docs/problems.ts";
import { readYaml } from "#docs/dialects/repository.ts";
import { Computed } from "./computed.ts";
import { Data } from "./data.ts";

it("reads only what a configuration has itself", () => {
  const data = Data.of({ a: "x" }, createProblemList());
  expect(["a", "constructor", "toString", "__proto__"].map((key) => data.get(key).raw)).toEqual(["x", undefined, undefined, undefined]); // oxfmt-ignore
});

it("reads a bounded number of values of a file, however often a list is named", () => {
  const data = Data.of({ list: Array.from({ length: 1_000 }, () => "x") }, createProblemList());
  const lengths = Array.from({ length: 201 }, () => data.get("list").list().length);
  expect(new Set(lengths.slice(1, 199))).toEqual(new Set([1_000]));
  expect(lengths.at(-1)).toBe(0);
});

it("reads a number of a YAML file as a number, whose text is kept", () => {
  const problems = createProblemList();
  const data = Data.of(readYaml("_category_.yml", "position: 1.0\n", problems), problems).get("position");
  expect([data.number(), data.text()]).toEqual([1, "1.0"]);
});

it("reports a computed value once, where it is", () => {
  const problems = createProblemList();
  const data = Data.of({ title: new Computed({ path: "config.ts", line: 3 }) }, problems);
  expect([data.get("title").text(), data.get("title").text()]).toEqual([null, null]);
  expect(problems.all()).toMatchObject([
    { path: "config.ts", line: 3, message: expect.stringMatching(/^"title" is computed/) as string },
  ]);
});
