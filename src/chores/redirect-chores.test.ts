import { describe, expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";

const tools = createAgentTools();
const config = `{
  "navigation": { "pages": ["index", "guides/use"] },
  "redirects": [
    { "source": "/old", "destination": "/guides/use" },
    { "source": "/v1/*", "destination": "/guides/*" }
  ]
}
`;
const site = {
  "docs.json": config,
  "index.mdx": "---\ntitle: Home\n---\n\n[use](/old)\n",
  "guides/use.mdx": "---\ntitle: Use it\n---\n\n## Run\n",
  "images/a.png": "png",
};

async function run(name: string, input: Record<string, unknown>, files: Record<string, string> = site) {
  const bench = createAgentBench(tools, files);
  const result = await bench.run(name, input);
  expect(result.ok || bench.tree.edits().size === 0).toBe(true);
  const written = (await bench.contents())["docs.json"] ?? "";
  return {
    redirects: (JSON.parse(written) as { redirects?: unknown[] }).redirects,
    written,
    summary: result.ok ? (result.content as { summary: string }).summary : null,
    message: result.ok ? null : result.message,
    hint: result.ok ? null : result.hint,
  };
}

describe("add_redirect", () => {
  const last = async (input: Record<string, unknown>) => (await run("add_redirect", input)).redirects?.at(-1);
  it("redirects an old address to a page, an anchor, a file or another site", async () => {
    expect(await last({ from: "gone", to: "Use it" })).toEqual({ source: "/gone", destination: "/guides/use" });
    expect(await last({ from: "/gone/", to: "guides/use#run" })).toEqual({
      source: "/gone",
      destination: "/guides/use#run",
    });
    expect(await last({ from: "/pic", to: "/images/a.png" })).toEqual({ source: "/pic", destination: "/images/a.png" });
    expect(await last({ from: "/blog", to: "https://blog.example/x" })).toEqual({
      source: "/blog",
      destination: "https://blog.example/x",
    });
  });

  it("targets the final address if its destination is redirected, and keeps that redirect", async () => {
    const { redirects } = await run("add_redirect", { from: "/older", to: "/old" });
    expect(redirects?.at(-1)).toEqual({ source: "/older", destination: "/guides/use" });
    expect(redirects).toHaveLength(3);
  });

  it("creates a missing list, and changes nothing else in the file", async () => {
    const files = { ...site, "docs.json": '{\n  "name": "Docs",\n  "navigation": { "pages": ["index"] }\n}\n' };
    const { written } = await run("add_redirect", { from: "/gone", to: "index" }, files);
    expect(written).toBe(
      '{\n  "name": "Docs",\n  "navigation": { "pages": ["index"] },\n  "redirects": [\n    { "source": "/gone", "destination": "/" }\n  ]\n}\n',
    );
  });

  it("repeats the part that a pattern matches", async () => {
    expect(await last({ from: "/v2/:slug*", to: "/guides/:slug*" })).toEqual({
      source: "/v2/:slug*",
      destination: "/guides/:slug*",
    });
  });

  it("does nothing if the redirect exists already", async () => {
    const { summary, written } = await run("add_redirect", { from: "/old", to: "guides/use" });
    expect(summary).toBe("There is a redirect from /old to /guides/use already");
    expect(written).toBe(config);
  });

  it("asks before it replaces another redirect, and offers a sentence to send", async () => {
    const { message, hint } = await run("add_redirect", { from: "/old", to: "index" });
    expect(message).toBe("/old leads to /guides/use already.");
    expect(hint).toBe('Remove the redirect from "/old" and add a redirect from "/old" to "index"');
  });

  it.each([
    [{ from: "/guides/use", to: "index" }, "is the address of guides/use.mdx"],
    [{ from: "/", to: "guides/use" }, "is the address of index.mdx"],
    [{ from: "/x", to: "nowhere" }, "There is no page “nowhere”"],
    [{ from: "/x?y=1", to: "index" }, "is no address on this site"],
    [{ from: "https://other.example/x", to: "index" }, "is no address on this site"],
    [{ from: "/x", to: "javascript:alert(1)" }, "neither a page nor an http address"],
    [{ from: "/x", to: "//evil.example" }, "neither a page nor an http address"],
    [{ from: "/x", to: "https://me:secret@a.example/" }, "no address that readers can be sent to"],
    [{ from: "/x/*", to: "/y/:slug" }, "repeats “:slug”"],
    [{ from: "/x/:slug*", to: "/x/y/:slug*" }, "leads in a circle"],
    [{ from: "/v1/x/:a", to: "/guides/:a" }, "An earlier redirect takes /v1/x/sample"],
  ])("refuses %j", async (input, message) => {
    expect((await run("add_redirect", input)).message).toContain(message);
  });
});

describe("remove_redirect", () => {
  const unlinked = { ...site, "index.mdx": "---\ntitle: Home\n---\n" };
  it("removes the one from this address and reports its target", async () => {
    const { redirects, summary } = await run("remove_redirect", { from: "old" }, unlinked);
    expect(redirects).toEqual([{ source: "/v1/*", destination: "/guides/*" }]);
    expect(summary).toBe("Removed the redirect from /old, which answers “not found” from now on");
    expect((await run("remove_redirect", { from: "/v1/*" }, unlinked)).redirects).toHaveLength(1);
  });

  it("refuses while links use it, and says how to correct them", async () => {
    const { message, hint } = await run("remove_redirect", { from: "/old" });
    expect(message).toContain("A link leads by this redirect (`index.mdx:5`)");
    expect(hint).toBe('Fix broken links and remove the redirect from "/old"');
  });

  it("suggests the nearest redirect when there is none", async () => {
    expect((await run("remove_redirect", { from: "/olt" })).message).toContain("“/old”");
  });
});
