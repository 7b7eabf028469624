import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "#features/keys/api-keys.ts";
import { createWebhookReceiver } from "#testing/webhook-receiver.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import {
  type DescribedInterface,
  type GivenAnswer,
  type InterfaceDocument,
  readInterface,
} from "#test/support/contract/described-interface.ts";
import {
  createRequestGenerator,
  type GeneratedRequest,
  type KnownIds,
} from "#test/support/contract/generated-requests.ts";
import { createRandom } from "#test/support/random.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";

const REQUESTS = LONG_TESTS ? 50_000 : 2_500;
const AT_ONCE = 8;
const SEED = 20_261_127;
/** How long a stream of events is read. */
const STREAM_MS = 100;
const KEPT_IDS = 40;
/** With which code each status may come: kit/http/errors.ts has them the other way about. */
const CODES: Record<number, string> = { 400: "invalid", 401: "unauthorized", 403: "forbidden", 404: "not_found", 409: "conflict", 412: "precondition_failed", 413: "too_large", 415: "unsupported_media_type", 422: "idempotency_mismatch", 429: "rate_limited", 431: "too_large", 500: "internal", 503: "unavailable" }; // oxfmt-ignore

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Few of the made-up jobs have a pull request when they are asked, few deliveries are over, and the only key that is known is the test's own. */
const RARELY_GOOD: ReadonlySet<string> = new Set([
  "mergeAgentJob",
  "closeAgentJob",
  "redeliverWebhook",
  // Whether the jobs that are known have ended depends on how fast the machine asks.
  "cancelAgentJob",
  "archiveAgentJob",
  // Only a job whose last message failed is retried, and few of those that are known are one.
  "retryAgentJob",
  // An automation that is triggered needs a name that few requests make up.
  "triggerAutomation",
  // Only an address that was invited before has an invitation.
  "withdrawInvitation",
  // Most of the webhooks that are known were deleted by other requests.
  "testWebhook",
  "updateWebhook",
  "revokeApiKey",
  "revokeInstanceKey",
  // Most of those name an address that is taken by now, or a repository that is out of reach.
  "createProject",
  // Most of those name a model, a source or a time zone that is not there.
  "updateAutomation",
  // Its name is not in the document, and its repository is here.
  "deleteProject",
  "getProjectConnection",
  "replaceProjectToken",
  "syncProject",
  // No repository may be reached from here, and the site is private only by the chance of another request.
  "addSource",
  "getSource",
  "replaceSourceToken",
  "removeSource",
  "createSiteLink",
  // Nobody has an account.
  "setMember",
  "removeMember",
]);

/** What only the project can tell, not its document: what there is in it, and how things are related. */
const OF_THE_PROJECT = [
  /no (such )?branch/,
  /[Nn]o commit/,
  /cursor/,
  /dateFrom must not be after/,
  /No provider/,
  /no source/,
  /no time zone/,
  // Where this server goes, and what goes together in a request for a project.
  /may not be reached/,
  /does not answer/,
  /not both/,
  /give (?:one of )?"/,
  /goes with "/,
  /host goes with/,
  /only GitHub has apps/,
  /is no address or range/,
];

interface Exchange {
  asked: GeneratedRequest;
  answer: GivenAnswer;
}

describe("requests that are generated from the OpenAPI document", () => {
  let server: TestServer;
  let document: InterfaceDocument;
  let described: DescribedInterface;
  let receiver: Awaited<ReturnType<typeof createWebhookReceiver>>;
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const exchanges: Exchange[] = [];

  async function open({ method, path, headers, body }: GeneratedRequest): Promise<IncomingMessage> {
    const outgoing = request({ host: "127.0.0.1", port: server.port, method, path, headers, agent });
    if (body === null) outgoing.end();
    else outgoing.end(body);
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    return incoming;
  }

  async function send(asked: GeneratedRequest): Promise<GivenAnswer> {
    // Once more where the server closed the idle connection at the moment that the request went out: common on a busy machine.
    const incoming = await open(asked).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET") throw error;
      return open(asked);
    });
    const isStream = incoming.headers["content-type"]?.startsWith("text/event-stream") ?? false;
    const cut = isStream ? setTimeout(() => incoming.destroy(), STREAM_MS) : undefined;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch (error) {
      if (!isStream) throw error;
    }
    clearTimeout(cut);
    const flat = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
    return {
      status: incoming.statusCode ?? 0,
      headers: Object.fromEntries(flat) as Record<string, string>,
      body: Buffer.concat(chunks).toString("utf8"),
      isCut: isStream,
    };
  }

  beforeAll(async () => {
    const plenty = { DOCENT_AGENT_CALLS_PER_HOUR: "1000000", DOCENT_ANALYTICS_CALLS_PER_HOUR: "1000000" };
    receiver = await createWebhookReceiver();
    server = await startTestServer({
      engine: "sqlite",
      files: {
        "index.md": "# Welcome\n\nTo [nowhere](/nowhere).\n",
        "docs/index.md": "# Docs\n",
        "docs/guide.md": "# Guide\n",
      },
      environment: { ...plenty, DOCENT_JOBS_AT_ONCE: "1", DOCENT_WEBHOOK_ALLOW: "127.0.0.1/32" },
    });
    document = (await (await fetch(`${server.baseUrl}/openapi.json`)).json()) as InterfaceDocument;
    described = readInterface(document);
    const known: KnownIds = new Map([["site", ["test-docs"]]]);
    const { instance } = server;
    const generator = createRequestGenerator({
      random: createRandom(SEED),
      described,
      known,
      projectId: instance.project.id,
      key: (
        await createApiKey(
          { database: instance.database, clock: { now: () => new Date() }, keysPerHour: 10 },
          { projectId: null, name: "everything", expiresInDays: null },
        )
      ).key,
      instead: {
        // Where this server goes for nobody.
        "https://github.com/acme/handbook": "https://10.0.0.1/acme/handbook",
        "https://example.com/hooks": receiver.url,
        "guides/install": "index",
        "4f2a9c1": (await instance.repoStore.resolve(instance.project.id, "refs/heads/main"))!,
      },
    });
    let left = REQUESTS;
    const one = async () => {
      while (left-- > 0) {
        const asked = generator.next();
        // Text in base64 is hardly ever an image, and jobs with one that is none are refused.
        if (/^(?:create|send)Agent/.test(asked.operation.id) && asked.manner === "valid" && typeof asked.body === "string") asked.body = asked.body.replaceAll(/"data":"[^"]*"/g, `"data":"${PNG}"`); // oxfmt-ignore
        // An archived project refuses most of the others, one with a small quota all further jobs, and one whose name another request makes up is deleted by it.
        if (asked.operation.id === "updateProject" && asked.refusal === null && typeof asked.body === "string") asked.body = asked.body.replace('"archived":true', '"archived":false').replace(/"jobsPerDay":\d+/, '"jobsPerDay":1000000').replace(/"name":"[^"]*"/, '"name":"Docs that stay"'); // oxfmt-ignore
        const answer = await send(asked);
        exchanges.push({ asked, answer });
        if (answer.status < 300) learn(known, asked.path, answer.body);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
  }, 1_800_000);
  afterAll(async () => {
    agent.destroy();
    await server[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  const shown = ({ asked, answer }: Exchange) =>
    `${asked.manner} ${asked.method} ${asked.path.slice(0, 200)} ${JSON.stringify(asked.headers).slice(0, 300)} ${String(asked.body ?? "").slice(0, 2000)} -> ${answer.status} ${answer.body.slice(0, 200)}`;
  /** The first of each kind, each with a request that has it. */
  function told(found: readonly { problem: string; exchange: Exchange }[]): string[] {
    const kinds = new Map(
      found.map(({ problem, exchange }) => [
        `${exchange.asked.operation.id}: ${problem}`.slice(0, 150),
        { problem, exchange },
      ]),
    );
    return [...kinds.values()]
      .slice(0, 30)
      .map(({ problem, exchange }) => `${exchange.asked.operation.id}: ${problem}\n  ${shown(exchange)}`);
  }

  it("reach every operation, and most valid ones succeed", () => {
    expect(exchanges).toHaveLength(REQUESTS);
    for (const { id } of described.operations) {
      const all = exchanges.filter(({ asked }) => asked.operation.id === id);
      expect([id, all.length > REQUESTS / described.operations.length / 2]).toEqual([id, true]);
      if (RARELY_GOOD.has(id)) continue;
      const good = all.filter(({ answer }) => answer.status < 300);
      expect([id, good.length > 0]).toEqual([id, true]);
    }
    // Later ones of the long form are over limits, or name what earlier ones have deleted.
    const early = exchanges.slice(0, 2_500);
    const valid = early.filter(
      ({ asked, answer }) => asked.manner === "valid" && answer.status !== 429 && !RARELY_GOOD.has(asked.operation.id),
    );
    expect(valid.filter(({ answer }) => answer.status < 300).length / valid.length).toBeGreaterThan(0.5);
  });

  it("never cause a server error", () => {
    // A repository that cannot be reached from here, and a page that a busy machine had no time to render, are no faults of ours.
    const mayBeAway = ({ asked, answer }: Exchange) =>
      ["createProject", "addSource", "readPage"].includes(asked.operation.id) && answer.status === 503;
    const faults = exchanges.filter((each) => !mayBeAway(each) && each.answer.status >= 500);
    expect(faults.slice(0, 10).map(shown)).toEqual([]);
  });

  it("get the documented status, headers and body", () => {
    const found = exchanges.flatMap((exchange) =>
      described.answerProblems(exchange.asked.operation, exchange.answer).map((problem) => ({ problem, exchange })),
    );
    expect(told(found)).toEqual([]);
  });

  it("would detect an undocumented field, header or status", () => {
    const { asked, answer } = exchanges.find(
      ({ asked: { operation }, answer: { status } }) => operation.id === "createAgentJob" && status === 201,
    )!;
    const problemsWithout = (words: string) =>
      readInterface(
        JSON.parse(
          JSON.stringify(document).replaceAll(words, words.startsWith('"') ? '"299"' : "gone"),
        ) as InterfaceDocument,
      )
        .answerProblems(asked.operation, answer)
        .join();
    expect(problemsWithout("nothing at all")).toBe("");
    expect(problemsWithout("previewLink")).toContain("previewLink");
    expect(problemsWithout("Location")).toContain("header location is not in the document");
    expect(problemsWithout('"201"')).not.toBe("");
  });

  it("cause the documented events and webhooks", async () => {
    const received = () =>
      receiver.received
        .map(({ type, raw }) => ({ type, body: JSON.parse(raw) as object }))
        // Those with the format `slack`, for people, are no events.
        .filter(({ body }) => Object.keys(body).join() !== "text");
    // How many there are depends on which webhooks live while jobs end.
    await expect.poll(() => received().length).toBeGreaterThan(2);
    const messages = received().map(({ type, body }) => described.messageProblem(type, body));
    expect(messages.filter((problem) => problem !== null)).toEqual([]);
    const events = exchanges.flatMap(({ answer }) => (answer.isCut ? eventsOf(answer.body) : []));
    expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThan(5);
    const problems = events.map(({ type, data }) => described.eventProblem(type, data));
    expect(problems.filter((problem) => problem !== null)).toEqual([]);
  });

  it("are rejected with the code of the status, and with the request ID", () => {
    for (const { answer } of exchanges.filter((exchange) => exchange.answer.status >= 400)) {
      const { code, requestId } = JSON.parse(answer.body) as { code: string; requestId: string };
      expect([answer.status, code]).toEqual([answer.status, CODES[answer.status]]);
      expect(requestId).toBe(answer.headers["x-request-id"]);
    }
  });

  it("are not carried out if the document rejects them", () => {
    const found = exchanges
      .filter(({ asked, answer }) => asked.refusal !== null && answer.status < 300)
      .map((exchange) => ({ problem: `carried out though ${exchange.asked.refusal}`, exchange }));
    expect(told(found)).toEqual([]);
  });

  it("are not rejected as invalid if the document accepts them", () => {
    const found = exchanges
      .filter(({ asked, answer }) => asked.manner === "valid" && asked.refusal === null && answer.status === 400)
      .map((exchange) => ({ problem: refusalOf(exchange.answer), exchange }))
      .filter(({ problem }) => !OF_THE_PROJECT.some((known) => known.test(problem)));
    expect(told(found)).toEqual([]);
  });
});

/** Why a request was called invalid. */
function refusalOf({ body }: GivenAnswer): string {
  const { error, details = [] } = JSON.parse(body) as { error: string; details?: { path: string; message: string }[] };
  return `${error} ${details.map(({ path, message }) => `${path} ${message}`).join("; ")}`;
}

/** The whole events of the beginning of a stream. */
function eventsOf(stream: string): { type: string; data: unknown }[] {
  const whole = stream.slice(0, stream.lastIndexOf("\n\n") + 1);
  return [...whole.matchAll(/^event: (.+)\ndata: (.+)$/gm)].map(([, type, data]) => ({
    type: type!,
    data: JSON.parse(data!) as unknown,
  }));
}

/** Keeps the ids and cursors of an answer for later requests. */
function learn(known: KnownIds, path: string, body: string): void {
  const keep = (kind: string, value: string) => {
    const kept = known.get(kind) ?? [];
    if (!kept.includes(value)) known.set(kind, [...kept, value].slice(-KEPT_IDS));
  };
  for (const [, value, kind] of body.matchAll(/"(?:id|_id|statusId)":"((\w{3})_[0-9a-z]{26})"/g)) keep(kind!, value!);
  const webhook = /\/(whk_\w+)\/deliveries/.exec(path)?.[1];
  for (const [id] of webhook === undefined ? [] : body.matchAll(/dlv_\w+/g))
    keep("deliveries", `${webhook}/deliveries/${id}`);
  for (const [, value] of body.matchAll(/"nextCursor":"([^"]+)"/g)) keep("cursor", value!);
}
