import { expect, test } from "vitest";
import { resolveHref, routeOf } from "./hrefs.ts";

const page = "guides/start.mdx";

test.each([
  ["./next.md#top", "/guides/next#top"],
  ["next", "/guides/next"],
  ["../api/index.mdx?x=1", "/api?x=1"],
  ["README.md", "/guides"],
  ["/reference/", "/reference"],
  ["#über", "#%C3%BCber"],
  ["", "/guides/start"],
  ["a b.md", "/guides/a%20b"],
  ["/50%-off", "/50%25-off"],
  ["..", "/"],
  ["x/y:z", "/guides/x/y:z"],
])("the link %j leads to %s", (written, href) => {
  expect(resolveHref(written, page)).toMatchObject({ kind: "internal", href });
});

test("paths and anchors are decoded, for look-ups", () => {
  expect(resolveHref("%C3%BC.md#a%20b", page)).toEqual({
    kind: "internal",
    href: "/guides/%C3%BC#a%20b",
    path: "/guides/ü",
    hash: "a b",
  });
});

test("sources keep their extension", () => {
  expect(resolveHref("../images/a.md.png", page, "source")).toMatchObject({ path: "/images/a.md.png" });
  expect(resolveHref("./notes.md", page, "source")).toMatchObject({ path: "/guides/notes.md" });
});

test.each(["../../x", "%2e%2e/%2e%2e/x", "..%2f..%2fx", "..\\..\\x", "/../x"])("%j leaves the site", (written) => {
  expect(resolveHref(written, page).kind).toBe("outside");
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " java\tscript:alert(1)",
  "java\u200Bscript:alert(1)",
  "\u0001javascript:alert(1)",
  "java\nscript:alert(1)",
  "java script:alert(1)",
  "vbscript:x",
  "data:text/html,<script>",
  "data:image/svg+xml,<svg>",
  "file:///etc/passwd",
  "blob:x",
])("the link %j is refused", (written) => {
  expect(resolveHref(written, page).kind).toBe("refused");
});

test.each(["//evil.example/x", "\\\\evil.example/x", "/\\evil.example/x", "https://a.example", "mailto:a@b.example"])(
  "%j is external",
  (written) => {
    expect(resolveHref(written, page).kind).toBe("external");
  },
);

test("a source may be https or an image in a data URL, nothing else with a scheme", () => {
  expect(resolveHref("data:image/png;base64,AA", page, "source").kind).toBe("external");
  expect(resolveHref("data:text/html,x", page, "source").kind).toBe("refused");
  expect(resolveHref("mailto:a@b", page, "source").kind).toBe("refused");
});

test.each([
  ["index.mdx", "/"],
  ["README.md", "/"],
  ["guides/index.md", "/guides"],
  ["guides/start.markdown", "/guides/start"],
  ["guides/reindex.md", "/guides/reindex"],
])("the route of %s is %s", (path, route) => {
  expect(routeOf(path)).toBe(route);
});
