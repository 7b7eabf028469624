import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestSite, type TestSite } from "#testing/site.ts";

// The expected first result of each query, in Docent's own documentation.
const EXPECTED: readonly (readonly [query: string, first: string])[] = [
  ["retry", "/interface/rate-limits#when-to-retry"],
  ["install", "/operate/deployment#install"],
  ["sso", "/operate/people#single-sign-on-sso"],
  ["api keys", "/operate/dashboard#api-keys"],
  ["docsjson", "/sites/docs-json"],
  ["webhook signature", "/jobs/webhooks#verify-the-signature"],
  ["privacy", "/analytics/privacy"],
  ["docs.json", "/sites/docs-json"],
  ["callouts", "/sites/components#callouts"],
  ["webhooks", "/jobs/webhooks"],
  ["webhook delivery", "/jobs/webhooks#delivery-and-retries"],
  ["redirect", "/sites/redirects"],
  ["code block", "/sites/code-blocks"],
  ["postgresql", "/operate/deployment#postgresql-and-several-processes"],
  ["backup", "/operate/backup"],
  ["upgrade", "/operate/upgrade"],
  ["gitlab", "/code-hosts/gitlab"],
  ["how do I connect a repository", "/code-hosts/connect"],
  ["pull request", "/concepts#pull-request"],
  ["quickstart", "/quickstart"],
  ["automation", "/jobs/automations"],
  ["typescript", "/jobs/typescript-client"],
  ["llms.txt", "/sites/markdown"],
  ["erase a reader", "/analytics/privacy#erasing-somebody"],
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

interface Answer {
  results: { href: string; page: string; excerpt: string }[];
  indexing: boolean;
}

async function search(query: string): Promise<Answer> {
  const address = `/_docent/search?${new URLSearchParams({ q: query }).toString()}`;
  return (await (await site.request(address, { headers: { accept: "application/json" } })).json()) as never;
}

it("shows no text twice, and the first result of each page before the next of one", async () => {
  for (const query of ["retry", "install", "token", "sent"]) {
    const { results } = await search(query);
    const excerpts = results.map(({ excerpt }) => excerpt);
    expect([query, new Set(excerpts).size]).toEqual([query, excerpts.length]);
    expect([query, new Set(results.slice(0, 3).map(({ page }) => page)).size]).toEqual([query, 3]);
  }
});

it.each(EXPECTED)("%s finds %s", async (query, first) => {
  const { results } = await search(query);
  expect(results[0]?.href).toBe(first);
});
