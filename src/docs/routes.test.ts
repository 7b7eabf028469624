import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalPath, createRoutes, decodePath, encodePath, routeOfStem } from "./routes.ts";

describe("createRoutes", () => {
  it.each([
    ["index.md", "/"],
    ["README.md", "/"],
    ["guides/intro.mdx", "/guides/intro"],
    ["guides/index.mdx", "/guides"],
    ["guides/readme.markdown", "/guides"],
    ["Guides/Intro.MD", "/Guides/Intro"],
    ["release notes.md", "/release%20notes"],
    ["日本語/導入.md", "/%E6%97%A5%E6%9C%AC%E8%AA%9E/%E5%B0%8E%E5%85%A5"],
    ["what?#100%.md", "/what%3F%23100%25"],
    ["it's (new) @v1:2+3=5,ok;$&!~*.md", "/it's%20(new)%20@v1:2+3=5,ok;$&!~*"],
    ["v1.2.md", "/v1.2"],
  ])("gives %s the route %s", (path, route) => {
    const routes = createRoutes([path], "");
    expect(routes.routeOf(path)).toBe(route);
    expect(routes.pathOf(route)).toBe(path);
    expect(routes.conflicts).toEqual([]);
  });

  it("strips the content root and leaves out files outside it", () => {
    const routes = createRoutes(["docs/a.md", "README.md", "docs-old/b.md"], "docs");
    expect([...routes.all]).toEqual([["/a", "docs/a.md"]]);
  });

  it("resolves a conflict in favor of the plain page, then index, then README, and reports it", () => {
    const routes = createRoutes(["a/README.md", "a/index.md", "a.md", "b/README.md", "b/index.md"], "");
    expect(Object.fromEntries(routes.all)).toEqual({
      "/a": "a.md",
      "/a/index": "a/index.md",
      "/a/README": "a/README.md",
      "/b": "b/index.md",
      "/b/README": "b/README.md",
    });
    expect(routes.conflicts.map((conflict) => conflict.path)).toEqual(["a/index.md", "a/README.md", "b/README.md"]);
  });

  it("shows one of two files that differ only in their extension", () => {
    const routes = createRoutes(["a.md", "a.mdx"], "");
    expect(Object.fromEntries(routes.all)).toEqual({ "/a": "a.mdx" });
    expect(routes.conflicts).toEqual([
      { path: "a.md", message: "/a is the address of a.mdx; this page is not shown." },
    ]);
  });

  it("assigns unique routes to any files, independent of their order", () => {
    const name = fc.constantFrom("a", "b", "index", "README", "Index", "ü", "x y");
    const path = fc
      .tuple(fc.array(name, { minLength: 1, maxLength: 3 }), fc.constantFrom("md", "mdx", "markdown"))
      .map(([segments, extension]) => `${segments.join("/")}.${extension}`);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 30 }), (paths) => {
        const routes = createRoutes(paths, "");
        for (const [route, owner] of routes.all) expect(routes.routeOf(owner)).toBe(route);
        expect(new Set(routes.all.values()).size).toBe(routes.all.size);
        for (const each of paths) {
          const known = routes.routeOf(each) !== null;
          expect(known || routes.conflicts.some((conflict) => conflict.path === each)).toBe(true);
        }
        expect(new Map(createRoutes(paths.toReversed(), "").all)).toEqual(new Map(routes.all));
      }),
    );
  });
});

describe("routeOfStem", () => {
  it.each([
    ["guides/intro", "/guides/intro"],
    ["/guides/intro.mdx", "/guides/intro"],
    ["./guides/README", "/guides"],
    ["index", "/"],
    ["", "/"],
  ])("reads the page reference %j as %s", (reference, route) => {
    expect(routeOfStem(reference)).toBe(route);
  });
});

describe("decodePath", () => {
  it.each(["/a%2fb", "/a%5Cb", "/%00", "/%zz", "/..", "/a/%2e%2e/b", "/%E4", "/a%0Ab"])("refuses %s", (pathname) => {
    expect(decodePath(pathname)).toBeNull();
  });

  it("normalizes every spelling of a path", () => {
    expect(canonicalPath("/a%20b//%63/")).toBe("/a%20b/c");
    expect(canonicalPath("/ü")).toBe(canonicalPath("/%C3%BC"));
    expect(canonicalPath("/u%CC%88")).toBe(canonicalPath("/%C3%BC"));
    expect(canonicalPath("/(x)")).toBe(canonicalPath("/%28x%29"));
  });

  it("is the inverse of encodePath for any path of ordinary names", () => {
    const segment = fc
      .string({ unit: "grapheme", minLength: 1 })
      .filter((text) => text !== "." && text !== ".." && !/[/\\\p{Cc}]/u.test(text));
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
        const composed = segments.map((each) => each.normalize("NFC"));
        expect(decodePath(encodePath(segments.join("/")))).toEqual(composed);
      }),
    );
  });
});
