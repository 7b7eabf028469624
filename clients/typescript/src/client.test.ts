import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type AgentJob,
  type AgentJobEvent,
  DocentError,
  type DocentClient,
  type DocentClientOptions,
  createDocentClient,
} from "./client.ts";

// A server over real HTTP that does what each test says; test/client.test.ts runs the client against the real one.
interface Seen {
  method: string;
  path: string;
  search: string;
  query: Record<string, string>;
  headers: IncomingMessage["headers"];
  body: unknown;
}
type Answer = (request: Seen, response: ServerResponse) => void;

let server: Server;
let seen: Seen[];
let answers: Answer[];
let client: DocentClient;

beforeEach(async () => {
  seen = [];
  answers = [];
  server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  client = connectTo((server.address() as AddressInfo).port);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://localhost");
  let text = "";
  for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString();
  const record = {
    method: request.method ?? "",
    path: url.pathname,
    search: url.search,
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    body: text === "" ? undefined : (JSON.parse(text) as unknown),
  };
  seen.push(record);
  // The last answer is given for ever.
  const answer = answers.length > 1 ? answers.shift() : answers[0];
  answer?.(record, response);
}

const connectTo = (port: number, more: Partial<DocentClientOptions> = {}) =>
  createDocentClient({
    baseUrl: `http://127.0.0.1:${port}/`,
    projectId: "prj_1",
    apiKey: "docent_key",
    retries: 1,
    ...more,
  });

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const cutOff: Answer = (_, response) => response.destroy();
const stream =
  (text: string): Answer =>
  (_, response) =>
    response.writeHead(200, { "content-type": "text/event-stream" }).end(text);
const openStream =
  (text: string): Answer =>
  (_, response) =>
    response.writeHead(200, { "content-type": "text/event-stream" }).write(text);

/** As the server gives it. */
const job = (more: Partial<AgentJob> = {}): AgentJob => ({
  id: "job_1",
  status: "active",
  source: { repository: "http://docs.test/git/a.git", ref: null },
  model: "docent/builtin-rules",
  dryRun: false,
  effort: null,
  plan: null,
  changed: false,
  lastMessage: { seq: 1, error: null, question: null },
  prLink: null,
  createdAt: "2026-11-20T12:00:00.000Z",
  archivedAt: null,
  transcriptDeletedAt: null,
  pullRequest: null,
  title: null,
  summary: null,
  error: null,
  usage: { steps: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 },
  phase: "queued",
  waitingFor: null,
  notice: null,
  previewLink: null,
  ...more,
});
const refusal = (code: string, error = "Sorry.") => ({ error, code, requestId: "req_1" });
const failureOf = async (promise: Promise<unknown>): Promise<DocentError> => {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DocentError)) throw new Error(`no DocentError: ${String(error)}`);
  return error;
};

test("an address or a key that cannot be one is told at once", () => {
  const options = { baseUrl: "http://docs.test", projectId: "prj_1", apiKey: "docent_key" };
  for (const wrong of [{ baseUrl: "" }, { baseUrl: "docs.test" }, { baseUrl: "file:///x" }, { baseUrl: "http://u:p@docs.test" }, { baseUrl: "http://docs.test?x" }, { projectId: "" }, { projectId: ".." }, { apiKey: "" }, { apiKey: "a\nb" }, { apiKey: "ключ" }]) {
    expect(() => createDocentClient({ ...options, ...wrong })).toThrow(DocentError);
  } // oxfmt-ignore
});

describe("calls", () => {
  test("any operation is called by its name, with its parameters in their places", async () => {
    answers = [json(200, { runs: [], hasMore: false }), (_, response) => response.writeHead(204).end()];
    await client.call("listAutomationRuns", { id: "aut/1", query: { limit: 5 } });
    expect(await client.call("deleteWebhook", { id: "wh_1" })).toBeNull();
    expect(seen.map(({ method, path, search }) => `${method} ${path}${search}`)).toEqual([
      "GET /v2/agent/prj_1/automations/aut%2F1/runs?limit=5",
      "DELETE /v2/agent/prj_1/webhooks/wh_1",
    ]);
  });

  test("lists are read page by page until there is no more", async () => {
    const next = { link: '<?status=active&status=failed&cursor=c2>; rel="next"' };
    answers = [json(200, { jobs: [job()], nextCursor: "c2" }, next), json(200, { jobs: [], nextCursor: null })];
    const sizes = [];
    for await (const { jobs } of client.pages("listAgentJobs", { query: { status: ["active", "failed"] } }))
      sizes.push(jobs.length);
    expect(sizes).toEqual([1, 0]);
    expect(seen.map(({ path, search }) => path + search)).toEqual([
      "/v2/agent/prj_1/jobs?status=active&status=failed",
      "/v2/agent/prj_1/jobs?status=active&status=failed&cursor=c2",
    ]);
  });

  test("a job is created with the key, the prompt and an idempotency key", async () => {
    answers = [json(201, job())];
    expect(await client.createJob({ prompt: "Fix it", draft: true })).toEqual(job());
    expect(seen).toMatchObject([
      {
        method: "POST",
        path: "/v2/agent/prj_1/job",
        body: { prompt: "Fix it", draft: true },
        headers: { authorization: "Bearer docent_key", "content-type": "application/json" },
      },
    ]);
    expect(seen[0]!.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("a created job whose answer was lost is asked for again with the same key", async () => {
    answers = [cutOff, json(201, job())];
    await client.createJob({ prompt: "Fix it" });
    expect(seen).toHaveLength(2);
    expect(seen[0]!.headers["idempotency-key"]).toBe(seen[1]!.headers["idempotency-key"]);
  });

  test("a message whose answer was lost is sent again with the same key, so that it is said once", async () => {
    answers = [cutOff, json(200, job())];
    expect(await client.sendMessage("job_1", "And that")).toEqual(job());
    const keys = seen.map((request) => request.headers["idempotency-key"]);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  test("a cancellation whose answer was lost is sent again with the same key", async () => {
    answers = [cutOff, json(200, job({ status: "failed" }))];
    expect(await client.cancelJob("job_1", { keepWork: true })).toMatchObject({ status: "failed" });
    const keys = seen.map((request) => request.headers["idempotency-key"]);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
    expect(seen[1]!.body).toEqual({ keepWork: true });
  });

  test("a message that was refused for now is sent again after the time asked for", async () => {
    answers = [json(429, refusal("rate_limited"), { "retry-after": "0.2" }), json(200, job())];
    const heard: unknown[] = [];
    const { port } = server.address() as AddressInfo;
    const listening = connectTo(port, { onRetry: ({ code }, waitMs) => heard.push([code, waitMs]) });
    const started = performance.now();
    expect(await listening.sendMessage("job_1", "And that")).toEqual(job());
    expect(performance.now() - started).toBeGreaterThanOrEqual(190);
    expect(heard).toEqual([["rate_limited", 200]]);
  });

  test("a long wait is left to the caller", async () => {
    answers = [json(429, refusal("rate_limited"), { "retry-after": "1800" })];
    expect(await failureOf(client.getJob("job_1"))).toMatchObject({
      code: "rate_limited",
      status: 429,
      retryAfterMs: 1_800_000,
    });
    expect(seen).toHaveLength(1);
  });

  test("ids are escaped in the path", async () => {
    answers = [json(200, job())];
    await client.getJob("../x?y");
    expect(seen[0]!.path).toBe("/v2/agent/prj_1/job/..%2Fx%3Fy");
  });

  test("a wrong request is told with its fields", async () => {
    const details = [{ path: "prompt", message: "must not be blank" }];
    answers = [json(400, { ...refusal("invalid", "The request is not valid."), details })];
    expect(await failureOf(client.createJob({ prompt: " " }))).toMatchObject({
      message: "The request is not valid.",
      code: "invalid",
      status: 400,
      details,
      requestId: "req_1",
    });
    expect(seen).toHaveLength(1);
  });

  test.each([
    ["a page of a proxy", 502, "<html>", "unavailable"],
    ["an unknown code", 418, JSON.stringify(refusal("teapot")), "unknown"],
    ["no object", 404, "null", "unknown"],
    ["a page in place of a job", 200, "<html>", "unexpected_answer"],
    ["a text in place of a job", 200, '"hello"', "unexpected_answer"],
  ])("%s is an error too", async (...[, status, body, code]) => {
    answers = [(__, response) => response.writeHead(status, { "retry-after": "0" }).end(body)];
    expect(await failureOf(client.getJob("job_1"))).toMatchObject({ code, status });
  });

  test("a redirect is not followed: the key is for one server", async () => {
    answers = [(_, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()];
    expect(await failureOf(client.getJob("job_1"))).toMatchObject({ code: "unexpected_answer", status: 302 });
    expect(seen).toHaveLength(1);
  });

  test("a server that is not there is named, and why it has no answer", async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    await expect(connectTo(port, { retries: 0 }).getJob("job_1")).rejects.toMatchObject({
      code: "no_answer",
      message: `http://127.0.0.1:${port} could not be reached, or the answer broke off: connect ECONNREFUSED 127.0.0.1:${port}.`,
    });
  });

  test("a silent server is a time-out", async () => {
    answers = [() => undefined];
    const impatient = connectTo((server.address() as AddressInfo).port, { timeoutMs: 50, retries: 0 });
    expect((await failureOf(impatient.getJob("job_1"))).code).toBe("timeout");
  });

  test("an aborted signal throws its own reason", async () => {
    answers = [() => undefined];
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("enough")), 20);
    await expect(client.getJob("job_1", { signal: controller.signal })).rejects.toThrow("enough");
  });
});

describe("waitForJob", () => {
  test("asks with the ETag until the job is done, and tells of changes only", async () => {
    const done = job({ status: "completed", prLink: "http://docs.test/pr/1" });
    answers = [
      json(200, job(), { etag: '"a"' }),
      (_, response) => response.writeHead(304).end(),
      json(200, done, { etag: '"b"' }),
    ];
    const changes: string[] = [];
    expect(await client.waitForJob("job_1", { onChange: ({ status }) => changes.push(status) })).toEqual(done);
    expect(changes).toEqual(["active", "completed"]);
    expect(seen.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"a"', '"a"']);
  });

  test("a failed job is an answer", async () => {
    answers = [json(200, job({ status: "failed" }))];
    expect((await client.waitForJob("job_1")).status).toBe("failed");
  });

  test("gives up when another pause would be longer than it was told to wait", async () => {
    answers = [json(200, job())];
    expect((await failureOf(client.waitForJob("job_1", { timeoutMs: 400 }))).code).toBe("timeout");
    expect(seen).toHaveLength(1);
  });

  test("stops on a signal in the middle of a pause", async () => {
    answers = [json(200, job())];
    const controller = new AbortController();
    const onChange = () => setTimeout(() => controller.abort(new Error("enough")), 20);
    await expect(client.waitForJob("job_1", { signal: controller.signal, onChange })).rejects.toThrow("enough");
    expect(seen).toHaveLength(1);
  });
});

describe("streamEvents", () => {
  const line = (seq: number, type: string) => `id: ${seq}\nevent: ${type}\ndata: {"seq":${seq},"text":"é"}\n\n`;
  async function collect(events: AsyncIterable<AgentJobEvent>): Promise<string[]> {
    const types: string[] = [];
    for await (const event of events) types.push(`${event.seq} ${event.type}`);
    return types;
  }

  test("gives the transcript to the end of the job", async () => {
    answers = [stream(`: hello\n\n${line(1, "job.created")}${line(2, "job.completed")}`)];
    expect(await collect(client.streamEvents("job_1"))).toEqual(["1 job.created", "2 job.completed"]);
    expect(seen).toMatchObject([{ path: "/v2/agent/prj_1/job/job_1/stream" }]);
    expect(seen[0]!.headers["last-event-id"]).toBeUndefined();
  });

  test("reads the answer of a caller's own fetch, of whatever class it is", async () => {
    answers = [stream(line(1, "job.completed"))];
    const own: typeof fetch = async (...request) => {
      const { ok, status, headers, body } = await fetch(...request);
      const read: Pick<Response, "ok" | "status" | "headers" | "body"> = { ok, status, headers, body };
      return read as Response;
    };
    const { port } = server.address() as AddressInfo;
    expect(await collect(connectTo(port, { fetch: own }).streamEvents("job_1"))).toEqual(["1 job.completed"]);
  });

  test("goes on after a lost connection where it was, and repeats nothing", async () => {
    answers = [
      stream(`retry: 10\n${line(1, "job.created")}${line(2, "message")}id: 3\nevent: half`),
      json(200, job()),
      stream(`${line(2, "message")}${line(3, "usage")}${line(4, "job.failed")}`),
    ];
    expect(await collect(client.streamEvents("job_1"))).toEqual([
      "1 job.created",
      "2 message",
      "3 usage",
      "4 job.failed",
    ]);
    expect(seen[2]!.headers["last-event-id"]).toBe("2");
  });

  test("does not take an old end for the end", async () => {
    answers = [stream(`${line(1, "job.completed")}${line(2, "message.received")}${line(3, "job.completed")}`)];
    expect(await collect(client.streamEvents("job_1", { after: 0 }))).toHaveLength(3);
  });

  test("ends by itself when the job rests and the connection stays open", async () => {
    answers = [openStream(line(7, "job.completed"))];
    expect(await collect(client.streamEvents("job_1", { after: 6 }))).toEqual(["7 job.completed"]);
    expect(seen[0]!.headers["last-event-id"]).toBe("6");
  });

  test("ends when there is nothing more to tell of a job at rest", async () => {
    answers = [stream(""), json(200, job({ status: "completed" }))];
    expect(await collect(client.streamEvents("job_1", { after: 9 }))).toEqual([]);
  });

  test("hangs up when the caller stops listening", async () => {
    const closed = Promise.withResolvers<void>();
    answers = [
      (_, response) => {
        response.on("close", () => closed.resolve());
        response.writeHead(200, { "content-type": "text/event-stream" }).write(line(1, "job.created"));
      },
    ];
    for await (const event of client.streamEvents("job_1")) {
      expect(event).toEqual({ seq: 1, type: "job.created", text: "é" });
      break;
    }
    await closed.promise;
  });

  test("a job that is not there is an error", async () => {
    answers = [json(404, refusal("not_found"))];
    expect((await failureOf(collect(client.streamEvents("job_9")))).code).toBe("not_found");
  });
});

test("visitors come page by page until there are no more", async () => {
  const totals = { human: 2, ai: 1, total: 3 };
  const row = (path: string) => ({ path, human: 1, ai: 0, total: 1 });
  answers = [
    json(
      200,
      { totals, visitors: [row("/a"), row("/b")], hasMore: true },
      { link: '<?dateFrom=2026-11-01&limit=2&offset=2>; rel="next"' },
    ),
    json(200, { totals, visitors: [row("/c")], hasMore: false }),
  ];
  const paths: string[] = [];
  for await (const page of client.visitors({ dateFrom: "2026-11-01", pageSize: 2 })) {
    expect(page.totals).toEqual(totals);
    paths.push(...page.visitors.map(({ path }) => path));
  }
  expect(paths).toEqual(["/a", "/b", "/c"]);
  expect(seen.map(({ path, query }) => [path, query])).toEqual([
    ["/v1/analytics/prj_1/visitors", { dateFrom: "2026-11-01", limit: "2" }],
    ["/v1/analytics/prj_1/visitors", { dateFrom: "2026-11-01", limit: "2", offset: "2" }],
  ]);
});
