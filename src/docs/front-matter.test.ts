import { expect, test } from "vitest";
import { measureWork } from "#testing/measure-work.ts";
import { readFrontMatter } from "./front-matter.ts";

test("reads the mapping between the fences and says where the body starts", () => {
  const source = "---\ntitle: Hello\ntags: [a, b]\n---\n# Body\n";
  const { attributes, bodyStart, range, problem } = readFrontMatter(source);
  expect(attributes).toEqual({ title: "Hello", tags: ["a", "b"] });
  expect(source.slice(bodyStart)).toBe("# Body\n");
  expect(source.slice(range?.start, range?.end)).toBe("title: Hello\ntags: [a, b]\n");
  expect(problem).toBeNull();
});

test("copes with a byte order mark, Windows line ends and an empty block", () => {
  const source = "\uFEFF---\r\ntitle: A\r\n---\r\nBody";
  expect(source.slice(readFrontMatter(source).bodyStart)).toBe("Body");
  expect(readFrontMatter(source).attributes).toEqual({ title: "A" });
  expect(readFrontMatter("---\n---\nBody")).toMatchObject({ attributes: {}, bodyStart: 8, problem: null });
});

test("is absent when the first line is not a fence or the fence is never closed", () => {
  expect(readFrontMatter("# Title\n---\na: 1\n---\n").range).toBeNull();
  expect(readFrontMatter("---\na: 1\n").range).toBeNull();
  expect(readFrontMatter("---\na: 1\n---x\n").range).toBeNull();
});

test("invalid YAML names the line and still yields the plain lines", () => {
  const { attributes, problem } = readFrontMatter("---\nicon: rocket\ntitle: Guides: start\nhidden: true\n---\n");
  expect(attributes).toEqual({ icon: "rocket", title: "Guides: start", hidden: true });
  expect(problem).toContain("(line 3)");
});

const hostile: Record<string, string> = {
  "an alias bomb": [
    "a: &a [1,1,1,1,1,1,1,1,1]",
    ..."bcdefghij".split("").map((c, i) => `${c}: &${c} [${Array(9).fill(`*${"abcdefghij"[i]}`).join(",")}]`),
  ].join("\n"),
  "deep flow nesting": "a: " + "[".repeat(8_000),
  "deep block nesting": "- ".repeat(8_000),
  "a huge block": "a: 1\n".repeat(100_000),
  "anchors in a row": "&a ".repeat(5_000),
  "commas in a row": "a: [" + ",".repeat(16_000) + "]",
  "quotes in a row": '"'.repeat(16_000),
};

for (const [name, yaml] of Object.entries(hostile)) {
  test(`${name} is a problem, found with little work`, () => {
    const { result, threadMs } = measureWork(() => readFrontMatter(`---\n${yaml}\n---\nBody`));
    const { problem } = result;
    expect(threadMs).toBeLessThan(2_000);
    expect(problem).not.toBeNull();
  });
}

test("a key named __proto__ changes no prototype", () => {
  const { attributes } = readFrontMatter("---\n__proto__: {polluted: yes}\nconstructor: x\n---\n");
  expect(Object.getPrototypeOf(attributes)).toBeNull();
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});
