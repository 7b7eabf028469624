import { describe, expect, it } from "vitest";
import { createRedirects } from "./redirects.ts";

const redirects = (...entries: [source: string, destination: string, permanent?: boolean][]) =>
  createRedirects(entries.map(([source, destination, permanent = true]) => ({ source, destination, permanent })));

describe("createRedirects", () => {
  it.each([
    ["/old", "/new", "/old", "/new"],
    ["old/", "new/page", "/old", "/new/page"],
    ["/old", "/new#part", "/old", "/new#part"],
    ["/old", "/new?x=1#part", "/old", "/new?x=1#part"],
    ["/old", "https://other.example/a b", "/old", "https://other.example/a%20b"],
    ["/old", "//other.example/x", "/old", "https://other.example/x"],
    ["/über", "/neu ü", "/%C3%BCber", "/neu%20%C3%BC"],
    ["/a/:slug", "/b/:slug/c", "/a/x", "/b/x/c"],
    ["/a/:slug*", "/b/:slug*", "/a/x/y", "/b/x/y"],
    ["/a/:slug*", "/b/:slug*", "/a", "/b"],
    ["/a/:slug*", "https://x.example/:slug*", "/a/x/y", "https://x.example/x/y"],
    ["/:lang/old/:rest*", "/:lang/new/:rest*", "/de/old/a/b", "/de/new/a/b"],
    ["/a/*", "/b/*", "/a/x/y", "/b/x/y"],
    ["/a/*", "/b/*#part", "/a/x", "/b/x#part"],
    ["/old/article-*", "/new/article-*", "/old/article-123", "/new/article-123"],
    ["/old/über-*", "/new", "/old/%C3%BCber-x", "/new"],
    ["/old/:slug.html", "/new/:slug", "/old/a.b.html", "/new/a.b"],
  ])("%s to %s sends %s to %s", (...[source, destination, path, location]) => {
    expect(redirects([source, destination]).match(path)).toEqual({ location, permanent: true });
  });

  it.each([
    ["/old", "/new", "/older"],
    ["/a/:slug", "/b", "/a/x/y"],
    ["/a/:slug", "/b", "/a"],
    ["/old/article-*", "/new", "/old/article-"],
    ["/old/article-*", "/new", "/old/article-1/more"],
    ["/old/:slug.html", "/new/:slug", "/old/.html"],
    ["/old", "javascript:alert(1)", "/old"],
    ["/old", "data:text/html,x", "/old"],
    ["/%zz", "/new", "/%zz"],
  ])("%s to %s does not apply to %s", (source, destination, path) => {
    expect(redirects([source, destination]).match(path)).toBeNull();
  });

  it("follows chains to their end, as temporary if one redirect is", () => {
    const chain = redirects(["/a", "/b"], ["/b", "/c", false], ["/c", "/d"]);
    expect(chain.match("/a")).toEqual({ location: "/d", permanent: false });
    expect(chain.match("/c")).toEqual({ location: "/d", permanent: true });
  });

  it.each([
    [redirects(["/a", "/a"])],
    [redirects(["/a", "/b"], ["/b", "/a#x"])],
    [redirects(["/a/:slug*", "/a/deeper/:slug*"])],
    [redirects(["/:slug*", "/x/:slug*"])],
  ])("rejects a loop: %#", (circle) => {
    expect(circle.match("/a")).toBeNull();
  });

  it("ends a chain at a page, which no redirect hides", () => {
    const pages = new Set(["/home", "/guides/a"]);
    const written = [
      { source: "/:path*", destination: "/home", permanent: true },
      { source: "/old/:path*", destination: "/guides/:path*", permanent: true },
    ];
    const all = createRedirects(written.toReversed(), (path) => pages.has(path));
    expect(all.match("/gone")?.location).toBe("/home");
    expect(all.match("/old/a")?.location).toBe("/guides/a");
    expect(all.match("/old/b")?.location).toBe("/home");
  });

  it("prefers an exact source to a pattern, and the first of two", () => {
    const both = redirects(["/a/:slug*", "/pattern"], ["/a/b", "/exact"], ["/a/b", "/second"]);
    expect(both.match("/a/b")?.location).toBe("/exact");
    expect(both.match("/a/c")?.location).toBe("/pattern");
  });

  it("cannot be tricked into redirecting to another origin by the requested path", () => {
    expect(redirects(["/go/:slug*", ":slug*"]).match("/go/evil.example")?.location).toBe("/evil.example");
    expect(redirects(["/go/:slug", "/:slug"]).match("/go/%2F%2Fevil")?.location).toBe("/");
  });
});
