import { expect, it, vi } from "vitest";
import { browse } from "#testing/browsing.ts";
import { createTestApp } from "#testing/test-app.ts";

it("finds pages of the docs by their titles, and opens them on the site", async () => {
  const files = {
    "core/getters.md": "# Getters\n\nComputed state.\n",
    "core/state.md": "# State\n\nNo getters here.\n",
  };
  await using app = await createTestApp("sqlite", { files });
  const member = await browse(app, app.key);
  await app.deployments.watch.look(app.project.id);
  const found = async (search: string) =>
    JSON.parse((await member.get(`/-/jump?project=harbor-docs&search=${search}`)).text) as {
      groups: { title: string; entries: unknown[] }[];
    };
  await vi.waitFor(async () => {
    expect((await found("getters")).groups).toEqual([
      {
        title: "Pages of the docs",
        entries: [{ label: "Getters", href: "http://harbor-docs.localhost:4000/core/getters", note: "/core/getters" }],
      },
    ]);
  }, 20_000);
  expect((await found("")).groups.map(({ title }) => title)).not.toContain("Pages of the docs");
});
