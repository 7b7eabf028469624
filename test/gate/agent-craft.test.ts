import { describe, expect, it } from "vitest";
import { openedOnce } from "#testing/opened-once.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { call, edit, finish, startModels } from "#test/support/models.ts";
import { startScriptedServer, startTestServer } from "#test/support/server.ts";

// What a language model has beside the files: their history, pages as readers see them, its own diff, and a second look.

const FILES = {
  "docs.json": '{"name": "Docs", "navigation": {"pages": ["index"]}}\n',
  "index.mdx": "---\ntitle: Start\ndescription: Begin here.\n---\n\n## Set up\n\nHarbor Cloud.\n\n<Old />\n",
};
const NEW = "ports.mdx";
const step = (text: string, state: string) => ({ text, state });
const PAGE = "---\ntitle: Ports\n---\n\nOpen a port.\n\n<Foobar>Now.</Foobar>\n\n<Note>Careful.</Note>\n";

it("reads history, renders and reviews, and gets advice on its change once before it is published", async () => {
  const turns = [
    {
      calls: [
        { name: "docs_log", input: { path: "index.mdx" } },
        { name: "docs_show", input: { commit: "main" } },
        { name: "docs_blame", input: { path: "index.mdx", from: 8, limit: 1 } },
        { name: "docs_show", input: { commit: "v9" } },
      ],
    },
    {
      calls: [
        { name: "review_changes", input: {} },
        { name: "write_file", input: { path: NEW, content: PAGE } },
      ],
    },
    edit("index.mdx", "Harbor Cloud.", "Harbor Cloud, with [ports](/ports)."),
    {
      calls: [
        { name: "render_page", input: { path: "/ports" } },
        { name: "render_page", input: { path: "nothing.mdx" } },
        { name: "review_changes", input: {} },
      ],
    },
    call("update_plan", { steps: [step("Explain ports", "done"), step("List them", "in_progress")] }),
    finish("Explain ports"),
    call("update_plan", { steps: [step("Explain ports", "done"), step("List them", "dropped")] }),
    edit(NEW, "<Foobar>Now.</Foobar>", "Now."),
    call("finish", {
      outcome: "done",
      title: "Explain ports",
      summary: "Left it out of the navigation on purpose.",
      forLaterJobs: ["Say  harbor,\nnot port."],
      files: [
        { path: "/ports.mdx", why: "The start page has no room for ports." },
        { path: "guide.mdx", why: "Not changed." },
      ],
    }),
  ];
  const { models, environment } = await startModels({ conversations: [{ marker: "Tell them", turns }] });
  await using _ = models;
  await using server = await startTestServer({ engine: "sqlite", files: FILES, environment });
  const { baseUrl, instance } = server;
  const body = { prompt: "Tell them.", model: "anthropic/m", effort: "high" };
  const created = await callApi(baseUrl, instance, { path: "/job", body });
  const job = await waitForJob(baseUrl, instance, created.body.id);
  expect(job).toMatchObject({ status: "completed", changed: true, pullRequest: { state: "open", draft: false } });
  expect(job.effort).toBe("high");
  expect(models.requests[0]!.body).toMatchObject({ thinking: { type: "enabled" } });
  expect(job.summary).toMatch(/^Changed 2 files\. The agent says:/);
  expect(models.requests).toHaveLength(turns.length);

  const said = JSON.stringify(models.requests.at(-1)!.conversation!.messages).replaceAll(/\\+n/g, "\n").replaceAll(/\\+"/g, '"'); // oxfmt-ignore
  const [first] = models.requests;
  expect(first!.conversation!.system).toContain("How to work:");
  expect(JSON.stringify(first!.conversation!.messages)).toContain("Newest commits:");
  expect(first!.conversation!.tools.map(({ name }) => name)).not.toContain("source_log");

  expect(said).toMatch(/"author":"[^"]+","subject":"[^"]+"/);
  expect(said).toContain("+Harbor Cloud.");
  expect(said).toMatch(/[0-9a-f]{10} 8\| Harbor Cloud\./);
  expect(said).toContain('The documentation repository has no tag or commit "v9"');
  expect(said).toContain("No file is changed.");
  expect(said).toContain("Problems (1):\n- ports.mdx:7 ");
  expect(said).toContain("Title: Ports\nDescription: none");
  expect(said).toContain("Text as readers see it:\nOpen a port.");
  expect(said).toContain("There is no page nothing.mdx.");
  expect(said).toContain("2 files changed:\nmodified index.mdx\nadded ports.mdx");
  expect(said).toContain("-Harbor Cloud.\n+Harbor Cloud, with [ports](/ports).");

  const advice = said.slice(said.indexOf("Look at these before your change is published"));
  expect(advice).toContain("- [pages] ports.mdx:7 ");
  expect(advice).toContain("- [pages] ports.mdx The new page is in no group of the navigation.");
  expect(advice).toContain("- [pages] ports.mdx The new page has no description, unlike most pages.");
  expect(advice).toContain("These steps of your plan are not done:\n- List them\n");
  // What was wrong before the change is not held against it.
  expect(advice).not.toContain("Old");

  const described = await instance.database.kysely.selectFrom("pull_request").select("body").executeTakeFirstOrThrow();
  expect(described.body).toContain("> File by file:\n>\n> - `ports.mdx`: The start page has no room for ports.");
  expect(described.body).not.toContain("guide.mdx");

  const events = await instance.database.kysely
    .selectFrom("job_event")
    .select(["type", "data"])
    .where("type", "in", ["validation", "plan.updated", "turn.finished"])
    .orderBy("seq")
    .execute();
  const plans = events.flatMap(({ type, data }) => (type === "plan.updated" ? [JSON.parse(data) as object] : []));
  expect(plans[1]).toEqual({ steps: [step("Explain ports", "done"), step("List them", "dropped")] });
  expect(JSON.parse(events.at(-1)!.data)).toMatchObject({
    files: [{ path: "ports.mdx", why: "The start page has no room for ports." }],
    forLaterJobs: ["Say harbor, not port."],
  });
  const checks = events
    .filter(({ type }) => type === "validation")
    .map(({ data }) => JSON.parse(data) as { warnings: { check: string }[] });
  expect(checks.map(({ warnings }) => warnings.filter(({ check }) => check === "pages").length)).toEqual([3, 2]);
});

it("matches the documentation of the model's tools", async () => {
  const prompt = "Say on the start page which ports Harbor Cloud opens.";
  const { models, environment } = await startModels({ conversations: [{ marker: prompt, turns: [finish()] }] });
  await using _ = models;
  const files = { ...FILES, "AGENTS.md": "Ports are written as digits.\n" };
  await using server = await startTestServer({ engine: "sqlite", files, environment });
  const { baseUrl, instance } = server;
  const created = await callApi(baseUrl, instance, { path: "/job", body: { prompt, model: "anthropic/m" } });
  await waitForJob(baseUrl, instance, created.body.id);
  const [first, second] = models.requests.map(({ conversation }) => conversation!);
  const said = second!.messages.findLast(({ role }) => role === "user")!;
  const { cache_control, max_tokens } = models.requests[0]!.body as Record<string, unknown>;
  const fence = (text: string) => `\`\`\`\`text\n${text.trim()}\n\`\`\`\``;
  const page = [
    PREFACE,
    `## Instructions\n\n${fence(first!.system)}`,
    `## First message\n\n${first!.messages.map((message) => fence("text" in message ? message.text : "")).join("\n\n")}`,
    `## When it says that it is done and has changed nothing\n\n${fence("text" in said ? said.text : "")}`,
    `## Tools\n\n| Tool | Description for the model |\n|---|---|\n${first!.tools
      .map(
        ({ name, description }) =>
          `| \`${name}\` | ${description.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("{", "&#123;")} |`,
      )
      .join("\n")}`,
    `## Settings of a request\n\nAnthropic, for example: ${"`"}${JSON.stringify({ max_tokens, cache_control })}${"`"}.`,
  ].join("\n\n");
  const dated = page.replaceAll(/\b20\d\d-\d\d-\d\d\b/g, "2026-11-27");
  await expect(`${dated}\n`).toMatchFileSnapshot("../../docs/jobs/what-the-model-sees.md");
});

const PREFACE = `---
title: What the model sees
description: The instructions, the first message and the tools that Docent sends to a language model, as one real job sent them.
---

A test generates this page from the requests of one job. Its site has one page, an \`AGENTS.md\`, and no sources. Only the
descriptions of the tools are shown, not the schemas of their input.

A request holds, in this order: the tools, the instructions, the first message, and the conversation. The order never changes
within a job, so that a provider with a prompt cache reads the beginning from it.`;

const SECOND_LOOKS = {
  "cannot be asked": [],
  "gives up": [finish("Nothing", "I cannot do that.", "impossible")],
  "breaks off within an edit": [edit(NEW, "Open a port.", "Half a")],
};

// It was done and checked: the question whether all looks right takes nothing back.
describe("publishes a finished change as it was where a model, asked to look again,", () => {
  const conversations = Object.entries(SECOND_LOOKS).map(([marker, afterwards]) => ({
    marker,
    turns: [call("write_file", { path: NEW, content: PAGE }), finish("Explain ports"), ...afterwards],
  }));
  const opened = openedOnce(() => startScriptedServer({ engine: "sqlite", files: FILES, script: { conversations } }));

  it.concurrent.each(Object.keys(SECOND_LOOKS))("%s", async (prompt) => {
    const { baseUrl, instance } = opened();
    const created = await callApi(baseUrl, instance, { path: "/job", body: { prompt, model: "anthropic/m" } });
    const job = await waitForJob(baseUrl, instance, created.body.id);
    expect(job).toMatchObject({ status: "completed", error: null, pullRequest: { state: "open", draft: false } });
    const tip = await instance.repoStore.resolve(instance.project.id, `refs/heads/${job.source.ref}`);
    const entry = (await instance.repoStore.tree(instance.project.id, tip!)).find(({ path }) => path === NEW)!;
    expect(String(await instance.repoStore.readBlob(instance.project.id, entry.oid))).toBe(PAGE);
  });
});
