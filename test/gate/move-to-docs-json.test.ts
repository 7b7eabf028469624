import { expect, it } from "vitest";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { runDocent } from "#test/support/commands.ts";
import { createSiteClient } from "#test/support/site-client.ts";
import { startTestServer } from "#test/support/server.ts";

const files = {
  "package.json": "{}",
  "website/docusaurus.config.js": `module.exports = {
  title: "Trains",
  customFields: { token: process.env.TOKEN },
  presets: [["classic", { docs: { sidebarPath: "./sidebars.js" }, blog: false }]],
};`,
  "website/sidebars.js":
    'module.exports = { docs: ["start", { type: "category", label: "Guides", items: ["doors"] }] };',
  "website/package.json": "{}",
  "website/docs/01-start.md":
    "# Start\n\n:::note\nSee [doors](./02-doors.mdx#open).\n:::\n\n![A door](/img/door.png)\n",
  "website/docs/02-doors.mdx":
    'import Tabs from "@theme/Tabs";\nimport Own from "@site/src/Own";\n\n# Doors\n\n## Open {#open}\n\n<Tabs>\n<TabItem value="a" label="A">\n\nPull.\n\n</TabItem>\n</Tabs>\n\n<Own>Mind the gap.</Own>\n',
  "website/static/img/door.png": "png",
  "website/src/Own.js": "export default () => null;",
};

it("moves a site of another tool to a docs.json by one pull request, which publishes nothing else", async () => {
  await using server = await startTestServer({ engine: "sqlite", files });
  const { baseUrl, instance } = server;
  const environment = { DOCENT_SERVER: baseUrl, DOCENT_PROJECT: instance.project.id, DOCENT_API_KEY: instance.key };
  const move = async (...options: string[]) => {
    const { stdout, stderr } = await runDocent(["move", instance.project.id, "--to", "docs.json", ...options], {
      environment,
    });
    return stdout + stderr;
  };
  const trial = await move("--dry-run");
  expect(trial).toContain("website/docs.json");
  expect(trial).not.toContain("Error:");

  const { id } = JSON.parse(await move("--json")) as { id: string };
  const job = await waitForJob(baseUrl, instance, id);
  expect(job).toMatchObject({
    status: "completed",
    changed: true,
    pullRequest: { number: 1 },
    title: "Move the site to docs.json",
  });
  expect(job.summary).toContain(
    "`Own` is not a component of Docent, so its content is shown: `website/docs/02-doors.mdx:16`.",
  );

  await callApi(baseUrl, instance, { path: `/job/${id}/merge`, body: {} });
  using site = createSiteClient(server);
  await expect.poll(async () => (await site.send("/docs/start")).text).toContain('href="/docs/doors#open"');
  const statuses: number[] = [];
  for (const path of ["/img/door.png", "/src/Own.js", "/docusaurus.config.js"])
    statuses.push((await site.send(path)).status);
  expect(statuses).toEqual([200, 404, 404]);
  expect(await move("--dry-run")).toContain("There is nothing to move");
});

it("moves the pictures of a GitBook space, after a page of it moved with a redirect", async () => {
  const space = {
    ".gitbook.yaml": "root: ./\n",
    ".gitbook/assets/door 1.png": "png",
    "README.md": "# Start\n\n![A door](<.gitbook/assets/door 1.png>)\n",
    "SUMMARY.md": "# Summary\n\n* [Start](README.md)\n* [Doors](doors.md)\n",
    "doors.md": "# Doors\n\nHow doors open.\n",
  };
  await using server = await startTestServer({ engine: "sqlite", files: space });
  const { baseUrl, instance } = server;
  const merged = async (body: object) => {
    const { id } = (await callApi(baseUrl, instance, { path: "/job", body })).body;
    expect(await waitForJob(baseUrl, instance, id)).toMatchObject({ status: "completed", changed: true });
    await callApi(baseUrl, instance, { path: `/job/${id}/merge`, body: {} });
  };
  using site = createSiteClient(server);
  await merged({ prompt: "Move the page doors to parts/doors." });
  await expect.poll(async () => (await site.send("/doors")).headers.location).toBe("/parts/doors");
  await merged({ chores: [{ move_to_docs_json: {} }] });
  // The page of the old site has the picture below /.gitbook.
  await expect.poll(async () => (await site.send("/assets/door%201.png")).status).toBe(200);
  expect((await site.send("/")).text).toContain('"/assets/door%201.png');
  expect((await site.send("/doors")).headers.location).toBe("/parts/doors");
});
