import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestSite, type TestSite } from "#testing/site.ts";

const MOORING_YAML = `openapi: 3.1.0
info: { title: Mooring, version: "1", description: "All about **berths**.\\n\\nOpen by day." }
paths:
  /berths:
    get:
      summary: List berths
      description: "Every berth, **free** ones first.\\n\\n## Order\\n\\n- by length\\n- by name"
      responses: {}
    post:
      summary: Add a berth
      description: "As [the rules](https://rules.example) have it.\\n\\nOnce."
      responses: {}
    put:
      summary: Change a berth
      description: Only its name.
      responses: {}
  /ships:
    get:
      summary: List ships
      description: "Said by the page.\\n\\nSaid by the description."
      responses: {}
`;

const FILES = {
  "docs.json": JSON.stringify({
    name: "Mooring",
    navigation: { groups: [{ group: "API", openapi: { source: "mooring.yaml", directory: "api" } }] },
  }),
  "mooring.yaml": MOORING_YAML,
  "ships.md": '---\nopenapi: "mooring.yaml GET /ships"\ndescription: In the author\'s words.\n---\n',
};

let site: TestSite;
beforeAll(async () => {
  site = await createTestSite(FILES);
});
afterAll(() => site[Symbol.asyncDispose]());

const text = async (path: string) => (await site.request(path)).text();
const times = (page: string, part: string) => page.split(part).length - 1;

it("shows all of an operation's description, and its first paragraph once: as the lead", async () => {
  const page = await text("/api/list-berths");
  expect(page).toContain('<p class="site-lead">Every berth, free ones first.</p>');
  expect(page).not.toContain("<strong>free</strong>");
  expect(page).toContain("<li>by length\n</li>");
  const markdown = await text("/api/list-berths.md");
  expect(markdown).toContain("> Every berth, free ones first.");
  expect(markdown).toContain("## Order\n\n- by length\n- by name");
  expect(times(markdown, "free ones first")).toBe(1);
});

it("repeats a first paragraph with links, so that they can be followed", async () => {
  const page = await text("/api/add-a-berth");
  expect(page).toContain('<p class="site-lead">As the rules have it.</p>');
  expect(page).toContain('href="https://rules.example"');
  expect(page).toContain("<p>Once.</p>");
});

it("shows no text below a lead that contains it all, and all of it below an author's own lead", async () => {
  const body = (page: string) => page.slice(page.indexOf('class="content"'));
  expect(body(await text("/api/change-a-berth"))).not.toContain("Only its name.");
  const own = await text("/ships");
  expect(own).toContain("In the author&#39;s words.");
  expect(body(own)).toContain("<p>Said by the page.</p>");
  expect(body(own)).toContain("<p>Said by the description.</p>");
});

it("starts the page of an API below its lead", async () => {
  const page = await text("/api");
  expect(page).toContain('<p class="site-lead">All about berths.</p>');
  expect(page).not.toContain("<strong>berths</strong>");
  expect(page).toContain("<p>Open by day.</p>");
});
