import { expect, it } from "vitest";
import { createAgentBench } from "#testing/agent-bench.ts";
import { createAgentTools } from "#agent/toolbox/tools.ts";

const page = (title: string) => `---\ntitle: ${title}\n---\n\nText.\n`;
const bench = () =>
  createAgentBench(createAgentTools(), {
    "docs.json": JSON.stringify({
      navigation: {
        groups: [
          { group: "Start", pages: ["get-started", "sdk/quickstart"] },
          { group: "Uses", pages: ["uses"] },
        ],
      },
      redirects: [{ source: "/setup", destination: "/get-started" }],
    }),
    "get-started.mdx": page("Quickstart"),
    "sdk/quickstart.mdx": page("Quickstart"),
    "uses.mdx": page("Uses"),
  });

it("moves no page by a title that two pages share, even if it is the file name of one", async () => {
  const result = await bench().run("move_page", { page: "Quickstart", group: "Uses" });
  expect(result.ok ? "" : result.message).toContain("sdk/quickstart.mdx, get-started.mdx");
  expect((await bench().run("move_page", { page: "sdk/quickstart", group: "Uses" })).ok).toBe(true);
});

it("removes a redirect with a named target only if it has that target", async () => {
  const elsewhere = await bench().run("remove_redirect", { from: "/setup", to: "/uses" });
  expect(elsewhere.ok ? "" : elsewhere.message).toContain("leads to /get-started, not to /uses");
  expect((await bench().run("remove_redirect", { from: "/setup", to: "/get-started" })).ok).toBe(true);
});

it.each<[chore: string, input: Record<string, unknown>]>([
  ["remove_page", { page: "docs/same.md" }],
  ["remove_page", { page: "same.md" }],
  ["add_section", { page: "/docs/same.md", title: "New", text: "Text." }],
  ["replace_term", { from: "Text", to: "Words", in: ["same.md"] }],
  ["replace_term", { from: "Text", to: "Words", except: ["docs/same.md"] }],
])("%s with %j changes no other file of that name", async (chore, input) => {
  const same = createAgentBench(createAgentTools(), {
    "docs/docs.json": JSON.stringify({ navigation: { pages: ["index", "same"] } }),
    "docs/index.mdx": page("Home"),
    "docs/same.md": page("Same"),
    "docs/same.mdx": page("Same"),
  });
  const result = await same.run(chore, input);
  expect(result.ok ? "changed" : result.message).toMatch(/docs\/same\.md: \/same is the address of docs\/same\.mdx/);
});
