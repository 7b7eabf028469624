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
