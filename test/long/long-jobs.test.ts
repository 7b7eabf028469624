import { describe, expect, it } from "vitest";
import type { Conversation } from "#testing/model-server/conversation.ts";
import type { AnyScript, TurnInput } from "#testing/model-server/script.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { call, edit, finish, startModels } from "#test/support/models.ts";
import { startTestServer } from "#test/support/server.ts";

// Jobs that are larger than the model's window or than a budget that counts every token in full.

const PAGES = Array.from({ length: 40 }, (_, at) => `docs/p${String(at + 1).padStart(2, "0")}.md`);
const pageText = (at: number) =>
  `# Page ${at + 1}\n\n${Array.from({ length: 310 }, (_, line) => `Line ${line} of page ${at + 1} says what an endpoint is and does.`).join("\n")}\n`;
const FILES = {
  "docs/docs.json": `{"name": "Docs", "navigation": {"pages": [${PAGES.map((path) => `"${path.slice(5, -3)}"`).join(", ")}]}}\n`,
  ...Object.fromEntries(PAGES.map((path, at) => [path, pageText(at)])),
};

const textOf = ({ system, tools, messages }: Conversation) => JSON.stringify([tools, system, messages]);

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** Says the answers in their order, and counts like a provider with or without a cache. */
function inOrder(answers: readonly TurnInput[], { caches }: { caches: boolean }): AnyScript {
  let asked = 0;
  let before = "";
  return (conversation) => {
    const text = textOf(conversation);
    const cached = caches ? commonLength(before, text) : 0;
    before = text;
    const answer = answers[asked++];
    const usage = { inputTokens: Math.ceil(text.length / 4), cachedTokens: Math.floor(cached / 4), outputTokens: 60 };
    return answer ? { ...answer, usage } : null;
  };
}

async function run(script: AnyScript, model: string, files: Record<string, string> = FILES) {
  const started = await startModels(script);
  await using models = started.models;
  const environment = { ...started.environment, DOCENT_JOB_LEASE_MS: "20000" };
  await using server = await startTestServer({ engine: "sqlite", files, environment });
  const { baseUrl, instance } = server;
  const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt: "Edit every page.", model } });
  const job = await waitForJob(baseUrl, instance, body.id, 150_000);
  return { job, requests: models.requests.map(({ conversation }) => textOf(conversation!)) };
}

/** The part of each request that the next one begins with, over all of them. */
function reusable(requests: readonly string[]): number {
  const before = requests.slice(0, -1);
  const kept = before.reduce((sum, text, at) => sum + commonLength(text, requests[at + 1]!), 0);
  return kept / before.reduce((sum, text) => sum + text.length, 0);
}

describe("forty pages of 20 KB, read and edited one by one with the usual budget,", () => {
  const answers = [
    ...PAGES.flatMap((path, at) => [
      call("read_file", { path }),
      edit(path, `Line 7 of page ${at + 1} says`, `Line 7 of page ${at + 1} tells`),
    ]),
    finish("Edit every page", "Edited all forty."),
  ];
  it.each([
    ["a provider that caches", "anthropic/m", true],
    ["a provider that does not", "anthropic/m", false],
    ["a window of 32,000 tokens", "openai-compatible/m", false],
  ])(
    "end in a pull request with %s, and most of every request is as it was",
    async (_what, model, caches) => {
      const { job, requests } = await run(inOrder(answers, { caches }), model);
      expect(job).toMatchObject({ status: "completed", error: null, pullRequest: { state: "open", draft: false } });
      expect(requests).toHaveLength(81);
      expect(reusable(requests)).toBeGreaterThan(0.8);
    },
    180_000,
  );
});

describe("with a window of 32,000 tokens", () => {
  const long = `# Long\n\n${"All work and no play makes a dull page.\n".repeat(1_700)}`;
  const files = {
    "docs/docs.json": FILES["docs/docs.json"].replace(/\[.*\]/, '["a", "b"]'),
    "docs/a.md": long,
    "docs/b.md": long,
  };
  const a = { name: "read_file", input: { path: "docs/a.md", limit: 5_000 } };
  const b = { name: "read_file", input: { path: "docs/b.md", limit: 5_000 } };
  const end = [edit("docs/a.md", "# Long", "# Short"), finish()];
  it.each([
    ["in one answer", [{ calls: [a, b] }, ...end]],
    ["one after another", [{ calls: [a] }, { calls: [b] }, { calls: [a] }, ...end]],
  ])("two reads of 64 KB %s work, and no request is larger than the window", async (_how, answers) => {
    const script = inOrder(answers, { caches: false });
    const strict: AnyScript = (conversation) => {
      if (textOf(conversation).length / 4 > 28_000) return { faults: [{ kind: "overflow", times: "always" }] };
      return typeof script === "function" ? script(conversation) : null;
    };
    const { job, requests } = await run(strict, "openai-compatible/m", files);
    expect(job).toMatchObject({ status: "completed", error: null, pullRequest: { state: "open" } });
    expect(requests).toHaveLength(answers.length);
  });
});

describe("a call of the model", () => {
  async function withOne(turns: TurnInput[], environment: Record<string, string>) {
    const started = await startModels({ conversations: [{ marker: "*", turns }] });
    await using models = started.models;
    await using server = await startTestServer({
      engine: "sqlite",
      files: { "docs/docs.json": '{"name": "D", "navigation": {"pages": ["a"]}}\n', "docs/a.md": "# A\n" },
      environment: { ...started.environment, DOCENT_JOB_LEASE_MS: "20000", ...environment },
    });
    const { baseUrl, instance } = server;
    const create = async () => {
      const body = { prompt: "Edit it.", model: "anthropic/m" };
      const { body: created } = await callApi(baseUrl, instance, { path: "/job", body });
      return waitForJob(baseUrl, instance, created.id);
    };
    return { first: await create(), second: await create(), asked: models.requests.length };
  }

  it("that hangs is made again after its own time, within the time of the turn", async () => {
    const turns = [{ ...edit("docs/a.md", "# A", "# B"), faults: [{ kind: "hang" as const }] }, finish()];
    const { first, asked } = await withOne(turns, { DOCENT_MODEL_TIMEOUT_SECONDS: "3" });
    expect(first).toMatchObject({ status: "completed", error: null, pullRequest: { state: "open" } });
    expect(asked).toBe(5);
  });

  it("that breaks off counts what the provider had read", async () => {
    const usage = { inputTokens: 50_000, outputTokens: 10 };
    const broken = {
      ...edit("docs/a.md", "# A", "# B"),
      usage,
      faults: [{ kind: "cut" as const, afterEvents: 2, times: 2 }],
    };
    const { first } = await withOne([broken, { ...finish(), usage: { inputTokens: 10, outputTokens: 1 } }], {});
    expect(first.status).toBe("completed");
    expect(first.usage.inputTokens).toBe(150_010);
  });

  it("is not made when the project has used up its day", async () => {
    const usage = { inputTokens: 100_000, outputTokens: 10 };
    const turns = [{ ...finish(), usage }];
    const { first, second, asked } = await withOne(turns, { DOCENT_PROJECT_DAY_INPUT_TOKENS: "100000" });
    expect(first).toMatchObject({ status: "completed" });
    expect(second).toMatchObject({ status: "failed", error: { code: "budget_exceeded" } });
    expect(second.error!.message).toMatch(/for today/);
    expect(second.error!.hint).toMatch(/DOCENT_PROJECT_DAY_INPUT_TOKENS/);
    expect(asked).toBe(1);
  });
});
