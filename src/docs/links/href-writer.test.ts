import { expect, it } from "vitest";
import { writeHref } from "./href-writer.ts";

it.each([
  ["/guides/old", "a/page.md", "guides/new.mdx", null, "/guides/new"],
  ["/guides/old.md", "a/page.md", "guides/new.mdx", null, "/guides/new.mdx"],
  ["/guides/old?x=1#part", "a/page.md", "guides/new.mdx", "part", "/guides/new?x=1#part"],
  ["./old", "a/page.md", "a/new.md", null, "./new"],
  ["old.md", "a/page.md", "a/new.md", null, "new.md"],
  ["./old", "a/page.md", "b/new.md", null, "../b/new"],
  ["../b/old.md", "a/page.md", "b/index.md", null, "../b/index.md"],
  ["../b/old", "a/page.md", "b/index.md", null, "../b"],
  ["/x", "a/page.md", "index.md", null, "/"],
  ["x", "page.md", "README.md", null, "./"],
  ["#old", "a/page.md", "a/page.md", "new part", "#new%20part"],
  ["old.md", "page.md", "new (2) ü.md", null, "new%20%282%29%20%C3%BC.md"],
  ["/img/a.png", "page.md", "images/a.png", null, "/images/a.png"],
  ["img/a.png", "b/page.md", "images/a.png", null, "../images/a.png"],
  ["old", "a/page.md", "a/page.md", "x", "page#x"],
])("in the style of %s, from %s to %s with anchor %s is %s", (...[like, from, target, hash, expected]) => {
  expect(writeHref({ like, from, target, hash })).toBe(expected);
});
