import { describe, expect, it } from "vitest";
import type { NavigationNode, NavigationSection } from "#docs/tree/navigation.ts";
import english from "#docs/words/languages/en.json" with { type: "json" };
import { sidebar } from "./sidebar.ts";

const page = (route: string): NavigationNode => ({
  kind: "page",
  route,
  title: route.slice(1),
  tag: null,
  method: null,
});

function group(title: string, children: readonly NavigationNode[]): NavigationSection {
  return { kind: "group", title, language: null, tag: null, route: null, href: null, isDefault: false, children };
}

const pages = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => page(`/${prefix}${index}`));

/** The sidebar's lists as text: `[title]` is a closed group, `title` an open one or a link. */
function outline(items: readonly NavigationNode[], groups: readonly NavigationSection[], route: string): string {
  return sidebar({ items, groups, route, words: english })
    .toString()
    .replaceAll(/<svg.*?<\/svg>/g, "")
    .replaceAll(/<details\s+>\s*<summary>([^<]*)<\/summary>/g, "[$1] ")
    .replaceAll(/<[^>]*aria-current="page"[^>]*>/g, "*")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

describe("sidebar", () => {
  const start = group("Start", [page("/a"), page("/b")]);
  const more = group("More", [page("/c"), group("Deep", [page("/d")])]);

  it("opens the groups of a small site and marks the page", () => {
    expect(outline([start, more], [start], "/b")).toBe("Start a *b More c [Deep] d");
  });

  it("closes groups that do not contain the page on a larger one", () => {
    const large = group("Large", pages(60, "p"));
    expect(outline([start, large, more], [start], "/a")).toMatch(/^Start \*a b \[Large\] p0 .* \[More\] c \[Deep\] d$/);
  });

  it("renders closed groups of a very large site as links to their first page", () => {
    const huge = group("Huge", pages(400, "p"));
    const html = sidebar({ items: [start, huge], groups: [start], route: "/a", words: english }).toString();
    expect(html).toContain('<a class="site-group-link" href="/p0">Huge');
    expect(html).not.toContain('href="/p1"');
    expect(html).toContain('href="/b"');
  });

  it("shows the part of a long level around the page", () => {
    const all = pages(50_000, "p");
    const html = sidebar({ items: all, groups: [], route: "/p25000", words: english }).toString();
    expect(html.match(/<li>/g)).toHaveLength(202);
    expect(html).toContain('<a href="/p24899">… Earlier pages</a>');
    expect(html).toContain('<a href="/p25100">… Later pages</a>');
    expect(html).toContain('<a href="/p25000" aria-current="page">');
    const first = sidebar({ items: all, groups: [], route: "/p0", words: english }).toString();
    expect(first).not.toContain("Earlier pages");
  });

  it("lists a group's own page first", () => {
    const own = { ...group("API", [page("/api/x")]), route: "/api" };
    expect(outline([own], [own], "/api")).toBe("API *Overview x".replace("x", "api/x"));
  });
});
