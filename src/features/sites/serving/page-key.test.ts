import { afterAll, beforeAll, expect, it } from "vitest";
import type { SiteProject } from "#features/sites/site-project.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await createTestSite({
    "docs.json": JSON.stringify({ feedback: { suggestEdit: true }, navigation: { pages: ["a"] } }),
    "a.md": "# A\n",
  });
});
afterAll(() => site[Symbol.asyncDispose]());

const GITHUB = { kind: "github", url: "https://github.com/acme/docs" } as const;
const notice = (href: string) => ({ text: "A preview", links: [{ text: "Back", href }] });

/** Properties in which a site of one repository and commit may differ, with their effect on a page. */
it.each<[what: string, before: Partial<SiteProject>, after: Partial<SiteProject>, said: string]>([
  ["the project's name", { name: "Before" }, { name: "After" }, "After</title>"],
  ["where it is edited", { hostedAt: GITHUB }, { hostedAt: { ...GITHUB, kind: "gitlab" } }, "/docs/-/edit/main/a.md"],
  ["nowhere to edit it", {}, { hostedAt: GITHUB }, "https://github.com/acme/docs/edit/main/a.md"],
  ["a notice", {}, { notice: notice("/x") }, "A preview"],
  ["where a notice leads", { notice: notice("/x") }, { notice: notice("/y") }, '<a href="/y">Back</a>'],
  [
    "its main domain",
    {},
    { address: { origin: "https://docs.example", base: "", mainLabel: null } },
    'rel="canonical" href="https://docs.example/a"',
  ],
  [
    "its base path",
    { address: { origin: "https://docs.example", base: "", mainLabel: null } },
    { address: { origin: "https://docs.example", base: "/docs", mainLabel: null } },
    'rel="canonical" href="https://docs.example/docs/a"',
  ],
])("two requests that differ in %s get separate documents", async (_, before, after, said) => {
  const textWith = async (changes: Partial<SiteProject>) => {
    for (const name of ["hostedAt", "notice", "address"] as const) delete site.project[name];
    Object.assign(site.project, { name: "Harbor" }, changes);
    return await (await site.request("/a")).text();
  };
  expect(await textWith(before)).not.toContain(said);
  expect(await textWith(after)).toContain(said);
  expect(await textWith(before)).not.toContain(said);
});
