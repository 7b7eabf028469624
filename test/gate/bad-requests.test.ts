import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LONG_TESTS } from "#testing/long-tests.ts";
import {
  type DescribedInterface,
  type InterfaceDocument,
  type Operation,
  readInterface,
} from "#test/support/contract/described-interface.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import { ENGINES } from "#testing/databases.ts";

interface Answer {
  asked: string;
  status: number;
  type: string;
  body: string;
}

/** What no identifier looks like. */
const WRONG_IDS = ["x", "job_0", "%00", "a%00b", "%FF%FE", "%E0%A4%A", "..%2f..%2fetc", "x".repeat(5_000), "%F0%9F%9A%A2", "'%22%3B--"]; // oxfmt-ignore
/** Sent as one byte, which is no UTF-8 and not escaped. */
const RAW_BYTE = "\u00ff";
const WRONG_VALUES = ["", "1e9", "-1", "0x10", "NaN", "1.5", "%00", "%FF", "%E0%A4%A", "9".repeat(400), "[object%20Object]", "\u00ff"]; // oxfmt-ignore
const WRONG_FIELDS = [null, 5, -1e308, true, {}, [], [null], "", " ", "\0", "\ud800", "x".repeat(100_000), { __proto__x: 1 }]; // oxfmt-ignore
/** Bodies that no operation takes, with their status. */
const WRONG_BODIES: [what: string, body: string | Buffer, status: number][] = [
  ["nothing", "", 400],
  ["half an object", '{"prompt":', 400],
  ["a list", "[]", 400],
  ["null", "null", 400],
  ["a number out of range", "1e999", 400],
  ["two objects", "{}{}", 400],
  ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 400],
  ["UTF-16", Buffer.from('{"prompt":"x"}', "utf16le"), 400],
  ["a list 100,000 deep", "[".repeat(100_000) + "]".repeat(100_000), 400],
  ["300 KiB", `{"prompt":"${"x".repeat(300 * 1024)}"}`, 413],
];
const WRONG_TYPES = ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx", "\u00ff/\u00ff"]; // oxfmt-ignore
/** In the gate every third of the values, from another one each time, so that all of them are sent to some operations. */
function createSampler(): <T>(all: readonly T[]) => readonly T[] {
  if (LONG_TESTS) return (all) => all;
  let turn = 0;
  return (all) => {
    const from = turn++ % 3;
    return all.filter((_, index) => index % 3 === from);
  };
}

describe.each(ENGINES)("invalid input on %s", (engine) => {
  /** What is refused before a store is asked: the same one shows it in every run. */
  const isShownHere = LONG_TESTS || engine === "sqlite";
  let server: TestServer;
  let described: DescribedInterface;
  let operations: Operation[];
  const some = createSampler();
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  beforeAll(async () => {
    const plenty = { DOCENT_AGENT_CALLS_PER_HOUR: "1000000", DOCENT_ANALYTICS_CALLS_PER_HOUR: "1000000" };
    server = await startTestServer({
      engine,
      files: { "index.md": "# Start\n" },
      environment: { ...plenty, DOCENT_JOBS_AT_ONCE: "0" },
    });
    // A project's key is good for nothing else; `error-table.test.ts` holds what belongs to the instance.
    const document = (await (await fetch(`${server.baseUrl}/openapi.json`)).json()) as InterfaceDocument;
    described = readInterface(document);
    operations = described.operations.filter(({ path }) => path.includes("{projectId}"));
  });
  afterAll(async () => {
    agent.destroy();
    await server[Symbol.asyncDispose]();
  });

  /** `path` and headers go out byte by byte. */
  async function send(
    method: string,
    path: string,
    given: { headers?: Record<string, string>; body?: string | Buffer } = {},
  ): Promise<Answer> {
    const headers = { Authorization: `Bearer ${server.instance.key}`, ...given.headers };
    const outgoing = request({ host: "127.0.0.1", port: server.port, method, path, headers, agent });
    outgoing.end(given.body);
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    const body = await text(incoming);
    const asked = `${method} ${path.slice(0, 200)} ${JSON.stringify(given.headers ?? {}).slice(0, 200)} ${String(given.body ?? "").slice(0, 200)}`;
    return { asked, status: incoming.statusCode ?? 0, type: incoming.headers["content-type"] ?? "", body };
  }

  /** The address of an operation; `id` stands for whatever identifiers it has below the project. */
  const addressOf = ({ path }: Operation, id: string) =>
    path.replace("{projectId}", server.instance.project.id).replaceAll(/\{\w+\}/g, () => id);

  function expectError(operation: Operation, answer: Answer, statuses: readonly number[]): void {
    const { asked, status, type, body } = answer;
    const isDocumented = String(status) in operation.responses;
    const isExpected = statuses.includes(status);
    // With what was asked, as one test asks for hundreds of things.
    expect({ asked, status, isExpected, isDocumented, type }).toEqual({
      asked,
      status,
      isExpected: true,
      isDocumented: true,
      type: "application/json",
    });
    expect(JSON.parse(body)).toMatchObject({
      error: expect.stringMatching(/\S/) as string,
      code: expect.stringMatching(/^[a-z_]+$/) as string,
      requestId: expect.stringMatching(/^req_/) as string,
    });
  }

  /** Nothing wrong with us, whatever was asked; a refusal is one that the document names. */
  function expectNoFault(operation: Operation, answer: Answer): void {
    if (answer.status >= 200 && answer.status < 400) return;
    expectError(operation, answer, [400, 404, 409, 413, 415, 422]);
  }

  const withBody = () => operations.filter((operation) => operation.body !== null);
  const json = { "Content-Type": "application/json" };

  it("is tested for every operation", () => {
    expect(operations.length).toBeGreaterThan(25);
    expect(withBody().length).toBeGreaterThan(6);
  });

  it.runIf(isShownHere)("gets 404 if an identifier or the project is unknown", async () => {
    for (const operation of operations) {
      const headers = operation.body ? json : {};
      const body = operation.body ? { body: '{"prompt":"x"}' } : {};
      for (const id of some(WRONG_IDS)) {
        const foreign = operation.path.replace("{projectId}", id).replaceAll(/\{\w+\}/g, "x");
        expectError(operation, await send(operation.method, foreign, { headers, ...body }), [404]);
        if (!/\{(?!projectId)/.test(operation.path)) continue;
        const answer = await send(operation.method, addressOf(operation, id), { headers, ...body });
        expectError(operation, answer, [400, 404]);
      }
    }
  });

  it.runIf(isShownHere)("gets 400 if the URL is malformed", async () => {
    for (const operation of operations) {
      const below = /\{(?!projectId)/.test(operation.path) ? [addressOf(operation, RAW_BYTE)] : [];
      for (const at of [...below, operation.path.replace("{projectId}", RAW_BYTE)]) {
        const { status, type, body } = await send(operation.method, at.replaceAll(/[{}]/g, ""));
        expect([400, 404, 415]).toContain(status);
        expect(type).toBe("application/json");
        expect(JSON.parse(body)).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/) as string });
      }
    }
  });

  it.runIf(isShownHere)("gets 400 or 413 if the body cannot be read, 415 if it is not JSON", async () => {
    for (const operation of withBody()) {
      const at = addressOf(operation, "x");
      for (const [, body, status] of WRONG_BODIES) {
        if (body === "" && !operation.isBodyRequired) continue; // many clients announce JSON all the same
        expectError(operation, await send(operation.method, at, { headers: json, body }), [status]);
      }
      for (const type of WRONG_TYPES) {
        const headers: Record<string, string> = type === "" ? {} : { "Content-Type": type };
        expectError(operation, await send(operation.method, at, { headers, body: '{"prompt":"x"}' }), [415]);
      }
    }
  });

  it.runIf(isShownHere)("causes no 5xx, whatever a field contains", async () => {
    for (const operation of withBody()) {
      for (const name of Object.keys(described.resolve(operation.body!).properties ?? {})) {
        for (const value of some(WRONG_FIELDS)) {
          const body = JSON.stringify({ prompt: "Edit.", [name]: value });
          expectNoFault(operation, await send(operation.method, addressOf(operation, "x"), { headers: json, body }));
        }
      }
    }
  });

  it.runIf(isShownHere)("gets 400 for a parameter that is invalid or repeated", async () => {
    for (const operation of operations) {
      const at = addressOf(operation, "x");
      for (const { name } of operation.parameters.filter((parameter) => parameter.in === "query")) {
        for (const value of some(WRONG_VALUES)) {
          const answer = await send(operation.method, `${at}?${name}=${value}`);
          if (name === "limit") expectError(operation, answer, [400]);
          else expectNoFault(operation, answer);
        }
        const twice = await send(operation.method, `${at}?${name}=1&${name}=2`);
        if (name === "status") expectNoFault(operation, twice);
        else expectError(operation, twice, [400]);
        for (const odd of [`${name}[]=1`, `${name}[a]=1`]) {
          expectNoFault(operation, await send(operation.method, `${at}?${odd}`));
        }
      }
      for (const odd of ["%00=1", "%FF=%FF", "=", "&&&", `x=${"y".repeat(8_000)}`]) {
        expectNoFault(operation, await send(operation.method, `${at}?${odd}`));
      }
    }
  });

  it.runIf(isShownHere)("causes no 5xx, whatever a header contains", async () => {
    const odd: Record<string, string>[] = [
      { Accept: "\u00ff, */*;q=nan, text/csv;q=\u00ff" },
      { "If-None-Match": '"\u00ff", W/, *' },
      { "Last-Event-ID": "1e9" },
      { "Last-Event-ID": "\u00ff" },
      { "Idempotency-Key": "\u00ff" },
      { "Accept-Encoding": "br;q=9, \u00ff" },
      { Range: "bytes=9-1" },
      { "Content-Encoding": "gzip" },
      { "X-Forwarded-For": "\u00ff, 999.1.1.1", Forwarded: "for=\u00ff" },
      { "X-Request-Id": "\u00ff".repeat(100) },
      { Cookie: "docent_session=\u00ff.\u00ff.\u00ff.\u00ff; a=\u00ff" },
      { Origin: "\u00ff" },
    ];
    for (const operation of operations) {
      const body = operation.body ? { body: '{"prompt":5}' } : {};
      for (const headers of some(odd)) {
        const sent = { headers: { ...headers, ...(operation.body ? json : {}) }, ...body };
        expectNoFault(operation, await send(operation.method, addressOf(operation, "x"), sent));
      }
    }
  });

  it.runIf(isShownHere)("gets 401 for an invalid key", async () => {
    for (const operation of operations) {
      for (const authorization of [
        "",
        "Bearer",
        "Bearer  ",
        "Basic eDp5",
        "Bearer \u00ff",
        `Bearer ${"x".repeat(9_000)}`,
      ]) {
        const answer = await send(operation.method, addressOf(operation, "x"), {
          headers: { Authorization: authorization },
        });
        expectError(operation, answer, [401]);
      }
    }
  });

  it("causes no 5xx on pages, sites, repositories and the view counter either", async () => {
    const { key, project } = server.instance;
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    const signedIn = await fetch(`${server.baseUrl}/sign-in`, {
      method: "POST",
      body: new URLSearchParams({ key }),
      redirect: "manual",
    });
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const job = "jobs/job_00000000000000000000000000";
    const queries = ["status", "before", "state", "path", "days", "paused", "repeated", "to"];
    const pages = ["", "jobs", job, `${job}/stream`, "pulls", "pull/1", "pull/1/files", "pull/999999999.diff", "analytics", "analytics/days.csv", "analytics/x.csv", "keys", "keys/key_00000000000000000000000000/revoke"]; // oxfmt-ignore
    const answers: Answer[] = [];
    for (const page of pages) {
      for (const name of queries) {
        for (const value of some(WRONG_VALUES)) {
          const at = `/test-docs${page && `/${page}`}?${name}=${value}&${name}=2`;
          answers.push(await send("GET", at, { headers: { Cookie: cookie } }));
        }
      }
    }
    for (const id of [...WRONG_IDS, RAW_BYTE]) {
      for (const at of [
        `/${id}`,
        `/${id}/jobs`,
        `/test-docs/jobs/${id}`,
        `/test-docs/pull/${id}`,
        `/test-docs/${id}`,
      ]) {
        answers.push(await send("GET", at, { headers: { Cookie: cookie } }));
      }
      answers.push(await send("GET", `/sign-in?to=${id}`), await send("GET", `/_docent/${id}`));
      answers.push(await send("GET", `/git/${id}.git/info/refs?service=${id}`));
      answers.push(await send("POST", `/ingest/${id}`, { body: "{}" }));
      const headers = { Host: "test-docs.localhost" };
      answers.push(await send("GET", `/${id}`, { headers }), await send("GET", `/?${id}=${id}`, { headers }));
      answers.push(await send("GET", `/_docent/${id}`, { headers }), await send("GET", `/${id}.md`, { headers }));
      answers.push(await send("POST", "/_docent/view", { headers, body: id }));
    }
    for (const [, body] of WRONG_BODIES) {
      for (const at of [
        "sign-in",
        "test-docs/jobs",
        "test-docs/keys",
        `test-docs/${job}/message`,
        "test-docs/pull/1/merge",
      ]) {
        for (const type of ["application/x-www-form-urlencoded", "multipart/form-data", ""]) {
          const headers = { ...form, Cookie: cookie, "Content-Type": type };
          answers.push(await send("POST", `/${at}`, { headers, body }));
        }
      }
      for (const at of [
        `ingest/${project.id}`,
        "git/test-docs.git/git-receive-pack",
        "git/test-docs.git/git-upload-pack",
      ]) {
        answers.push(await send("POST", `/${at}`, { body }));
      }
    }
    expect(answers.filter(({ status }) => status >= 500 || status === 0)).toEqual([]);
  }, 600_000);

  it("leaves the server working", async () => {
    expect(await send("GET", "/health")).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  });
});
