import { describe, expect, it } from "vitest";
import { addToFrontMatterList, setFrontMatter } from "./front-matter-edits.ts";

const page = (yaml: string, newline = "\n") => `---\n${yaml}\n---\n\nBody --- [x](/p)\n`.replaceAll("\n", newline);

describe("words added to a list of the front matter", () => {
  it.each([
    ["brackets", "keywords: [a, b]", "keywords: [a, b, new one]"],
    ["brackets on lines with comments", "keywords: [\n  a, # one\n  b # two\n]\nx: 1", "keywords: [\n  a, # one\n  b, new one # two\n]\nx: 1"],
    ["brackets with a comma at their end", "keywords: [a, b,]", "keywords: [a, b, new one,]"],
    ["empty brackets", "keywords: []", "keywords: [new one]"],
    ["a block", "keywords:\n    - a\n    - b\n\n\n# end", "keywords:\n    - a\n    - b\n    - new one\n\n\n# end"],
    ["a block with comments", "keywords:\n  # first\n  - a # one\n  # last\nx: 1", "keywords:\n  # first\n  - a # one\n  - new one\n  # last\nx: 1"],
    ["words with commas between them", "keywords: a, b # two", "keywords: a, b, new one # two"],
    ["nothing", "title: A", "title: A\nkeywords: [new one]"],
    ["an empty value", "keywords: ''\nx: 1", "keywords: [new one]\nx: 1"],
    ["no value and a comment", "keywords: # none yet\nx: 1", "keywords: [new one] # none yet\nx: 1"],
    ["a quoted key", "'keywords': [a]", "'keywords': [a, new one]"],
  ])("join %s", (_name, before, after) => {
    expect(addToFrontMatterList(page(before), "keywords", ["new one"])).toBe(page(after));
    expect(addToFrontMatterList(page(before, "\r\n"), "keywords", ["new one"])).toBe(page(after, "\r\n"));
    const marked = `\uFEFF${page(after)}`;
    expect(addToFrontMatterList(`\uFEFF${page(before)}`, "keywords", ["new one"])).toBe(marked);
    expect(addToFrontMatterList(marked, "keywords", ["New one"])).toBe(marked);
  }); // oxfmt-ignore

  it.each([
    ["a mapping", "keywords: {a: 1}"],
    ["lines of text", "keywords: |\n  a\n  b"],
    ["a list that another key shares", "keywords: &k [a]\ntags: *k"],
    ["a key that stands there twice", "keywords: a\nkeywords: b"],
    ["tabs as indentation", "keywords:\n\t- a"],
    ["lists in the list", "keywords:\n- - a\n- b"],
  ])("are refused to %s", (_name, before) => {
    expect(() => addToFrontMatterList(page(before), "keywords", ["new one"])).toThrow(/no list|safely|not valid/);
  });
});

describe("a value of the front matter", () => {
  it.each([
    ["a block scalar", "key: |\n  a\n  ---\n  b\nx: 1", "key: new\nx: 1", "x: 1"],
    ["a value with a comment", 'key:   "a"   # note\nx: 1', "key:   new   # note\nx: 1", "x: 1"],
    ["no value and a comment", "key: # none\nx: 1", "key: new # none\nx: 1", "x: 1"],
    ["a key with a longer one beside it", "keys: 1\nkey: a\nsubkey: 2", "keys: 1\nkey: new\nsubkey: 2", "keys: 1\nsubkey: 2"],
    ["an anchor that nothing names", "key: &k a\nx: 1", "key: &k new\nx: 1", "x: 1"],
  ])("is set and removed in place of %s", (_name, before, set, removed) => {
    expect(setFrontMatter(page(before), { key: "new" })).toBe(page(set));
    expect(setFrontMatter(page(before), { key: null })).toBe(page(removed));
    expect(setFrontMatter(page(before, "\r\n"), { key: "new" })).toBe(page(set, "\r\n"));
  }); // oxfmt-ignore

  it.each([
    ["shared by an alias", "key: &k a\nx: *k"],
    ["tagged", "key: !!set {a, b}"],
    ["there twice", "key: a\nkey: b"],
    ["not valid", "key: *missing"],
  ])("is not changed if it is %s", (_name, before) => {
    expect(() => setFrontMatter(page(before), { key: "new" })).toThrow(/safely|not valid/);
  });

  it.each([
    ["with a question mark", "x: 1\n? key\n: a"],
    ["in braces", "{x: 1, key: a}"],
  ])("is not removed if its key is written %s", (_name, before) => {
    expect(() => setFrontMatter(page(before), { key: null })).toThrow("safely");
  });
});
