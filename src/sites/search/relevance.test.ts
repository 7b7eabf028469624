import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestSite, type TestSite } from "#testing/site.ts";

// What somebody who asks for it expects to see first, in Docent's own documentation.
const EXPECTED: readonly (readonly [query: string, first: string])[] = [
  ["privacy", "/analytics/privacy"],
  ["docs.json", "/sites/docs-json"],
  ["callouts", "/sites/components#callouts"],
  ["webhooks", "/jobs/webhooks"],
  ["webhook delivery", "/jobs/webhooks#delivery"],
  ["redirect", "/sites/redirects"],
  ["code block", "/sites/code-blocks"],
  ["postgresql", "/operate/deployment#postgresql-and-several-processes"],
  ["backup", "/operate/deployment#backup"],
  ["upgrade", "/operate/deployment#upgrade"],
  ["gitlab", "/code-hosts/gitlab"],
  ["how do I connect a repository", "/code-hosts/connect"],
  ["pull request", "/concepts#pull-request"],
  ["quickstart", "/quickstart"],
  ["automation", "/jobs/automations"],
  ["typescript", "/jobs/typescript-client"],
  ["llms.txt", "/sites/markdown"],
  ["erase somebody", "/analytics/privacy#erasing-somebody"],
  ["troubelshooting", "/operate/troubleshooting"],
  ["privcay", "/analytics/privacy"],
];

let site: TestSite;

beforeAll(async () => {
  const root = path.resolve("docs");
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(?:mdx?|json)$/.test(name),
  );
  const files = names
    .filter((name) => !name.startsWith("decisions"))
    .map((name): [string, string] => [name, readFileSync(path.join(root, name), "utf8")]);
  site = await createTestSite(Object.fromEntries(files), { search: { admits: () => true } });
  for (;;) {
    const { indexing } = await search("anything");
    if (!indexing) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}, 120_000);
afterAll(() => site[Symbol.asyncDispose]());

async function search(query: string): Promise<{ results: { href: string }[]; indexing: boolean }> {
  const address = `/_docent/search?${new URLSearchParams({ q: query }).toString()}`;
  return (await (await site.request(address, { headers: { accept: "application/json" } })).json()) as never;
}

it.each(EXPECTED)("%s leads to %s", async (query, first) => {
  const { results } = await search(query);
  expect(results[0]?.href).toBe(first);
});
