import { expect, it } from "vitest";
import { createProblemList } from "#docs/problems.ts";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { baseOf, inside } from "./paths.ts";
import { openRepository } from "./repository.ts";

it("reads files of up to a megabyte", async () => {
  const files = { "a.yml": "x".repeat(1024 * 1024), "b.yml": "x".repeat(1024 * 1024 + 1) };
  const { text } = await openRepository(createTestSnapshot(files));
  expect([(await text("a.yml"))?.length, await text("b.yml"), await text("c.yml")]).toEqual([1024 * 1024, null, null]);
});

it("reports broken YAML with its line, and reads the rest", async () => {
  const problems = createProblemList();
  const { data } = await openRepository(createTestSnapshot({ "a.yml": "title: Docs\nnav: [a, b\nx: 1\n" }));
  expect((await data("a.yml", problems)).get("title").text()).toBe("Docs");
  expect(problems.all()).toMatchObject([
    { severity: "error", path: "a.yml", message: expect.stringContaining("no valid YAML") as string },
  ]);
});

it("tells folders whose names begin alike apart, and a path of a site from an address", () => {
  expect([inside("docs/a.md", "docs"), inside("docs-old/a.md", "docs"), inside("a.md", "")]).toEqual([
    "a.md",
    null,
    "a.md",
  ]);
  expect(["/docs/", "docs", "/", "https://docs.example/docs/", null].map(baseOf)).toEqual(["/docs", "/docs", "", "", ""]); // oxfmt-ignore
});
