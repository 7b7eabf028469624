import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, it } from "vitest";
import { createDocentClient, DocentError } from "#client/client.ts";
import { hasPython } from "#test/support/python.ts";
import { startOddServer } from "#test/support/odd-server.ts";

const python = path.join(import.meta.dirname, "../../clients/python");

/** Each question as both clients ask it: what is called, of which job, with how many repetitions. */
interface Question {
  call: "get" | "message" | "delete" | "update" | "stream" | "wait";
  job: string;
  retries?: number;
  timeoutMs?: number;
}
/** A value, or what the error says: code, status, request. */
type Outcome = unknown[] | string | null;

const TABLE: [about: string, question: Question, outcome: Outcome, requests: number][] = [
  // First those that wait longest.
  ["a stream of a server that starts again", { call: "stream", job: "stream-restart" }, "job.created message job.completed", 4], // oxfmt-ignore
  ["a wait for a job of a server that starts again", { call: "wait", job: "wait-restart" }, "job_1", 3],
  ["a page of HTML with 200", { call: "get", job: "page", retries: 1 }, ["unexpected_answer", 200, null], 1],
  ["a page of HTML with 502", { call: "get", job: "page-502", retries: 1 }, ["unavailable", 502, null], 2],
  ["a page of HTML with 404", { call: "get", job: "page-404", retries: 1 }, ["unexpected_answer", 404, null], 1],
  ["no JSON", { call: "get", job: "text" }, ["unexpected_answer", 200, null], 1],
  ["JSON that is no object", { call: "get", job: "no-object" }, ["unexpected_answer", 200, null], 1],
  ["an answer that breaks off", { call: "get", job: "cut" }, ["no_answer", null, null], 1],
  ["a redirect", { call: "get", job: "redirect", retries: 1 }, ["unexpected_answer", 302, null], 1],
  ["silence", { call: "get", job: "silent", timeoutMs: 200 }, ["timeout", null, null], 1],
  ["a trickle without an end", { call: "get", job: "trickle", timeoutMs: 300 }, ["timeout", null, null], 1],
  ["an answer of 50 MB", { call: "get", job: "large", retries: 1 }, ["unexpected_answer", 200, "req_3"], 1],
  ["a refusal of the interface", { call: "get", job: "coded" }, ["not_found", 404, "req_1"], 1],
  ["a refusal that nobody knows", { call: "get", job: "other-code", retries: 1 }, ["other", 418, "req_2"], 1],
  ["a refusal for now", { call: "get", job: "refused", retries: 1 }, "job_1", 2],
  ["a PATCH that was refused for now", { call: "update", job: "refused", retries: 1 }, "job_1", 2],
  ["a wait that is too long", { call: "get", job: "later", retries: 1 }, ["rate_limited", 429, null], 1],
  ["a POST whose answer was lost", { call: "message", job: "lost", retries: 1 }, "job_1", 2],
  ["a PATCH whose answer was lost", { call: "update", job: "lost", retries: 1 }, ["no_answer", null, null], 1],
  ["a DELETE whose answer was lost", { call: "delete", job: "lost-then-gone", retries: 1 }, null, 2],
  ["a stream that is cut", { call: "stream", job: "stream" }, "job.created message job.completed", 4],
  ["an event that is too large", { call: "stream", job: "stream-large" }, "job.created job.completed", 3],
  ["a wait at a server that was never there", { call: "wait", job: "lost-always" }, ["no_answer", null, null], 1],
  ["a page in place of a stream", { call: "stream", job: "stream-page" }, ["unexpected_answer", 200, null], 1],
];

async function askTypescript(
  address: string,
  { call, job: id, retries = 0, timeoutMs = 20_000 }: Question,
): Promise<Outcome> {
  const docent = createDocentClient({ baseUrl: address, projectId: "prj_1", apiKey: "docent_1", retries, timeoutMs });
  try {
    if (call === "get") return (await docent.getJob(id)).id;
    if (call === "wait") return (await docent.waitForJob(id)).id;
    if (call === "message") return (await docent.sendMessage(id, "Go on.")).id;
    if (call === "update") return (await docent.call("updateWebhook", { id, body: { enabled: true } })).id;
    if (call === "delete") return await docent.call("deleteWebhook", { id });
    const types: string[] = [];
    for await (const { type } of docent.streamEvents(id)) types.push(type);
    return types.join(" ");
  } catch (error) {
    if (!(error instanceof DocentError)) throw error;
    return [error.code === "unknown" ? "other" : error.code, error.status, error.requestId];
  }
}

// One process answers all questions, each in a thread. The Python client gives codes that it does not know as they are.
const SCRIPT = `
import json, sys, threading
from docent_client import Docent, DocentError

def answer(at, address, question):
    docent = Docent(address, "prj_1", "docent_1", retries=question.get("retries", 0), timeout=question.get("timeoutMs", 20_000) / 1_000)
    job = question["job"]
    try:
        out = {
            "get": lambda: docent.get_job(job)["id"],
            "wait": lambda: docent.wait_for_job(job)["id"],
            "message": lambda: docent.send_message(job, "Go on.")["id"],
            "update": lambda: docent.update_webhook(job, {"enabled": True})["id"],
            "delete": lambda: docent.delete_webhook(job),
            "stream": lambda: " ".join(event["type"] for event in docent.stream_events(job)),
        }[question["call"]]()
    except DocentError as error:
        out = ["other" if error.code == "teapot" else error.code, error.status, error.request_id]
    except BaseException as error:
        out = repr(error)
    sys.stdout.write(json.dumps([at, out]) + "\\n")
    sys.stdout.flush()

for line in sys.stdin:
    threading.Thread(target=answer, args=json.loads(line)).start()
`;

interface Interpreter {
  process: ChildProcessWithoutNullStreams;
  /** By the number of their question. */
  waiting: Map<number, (outcome: Outcome) => void>;
}

let interpreter: Interpreter | undefined;
afterAll(() => {
  interpreter?.process.stdin.end();
});

function startPython(): Interpreter {
  const env = { ...process.env, PYTHONPATH: python, PYTHONDONTWRITEBYTECODE: "1" };
  const started = spawn("python3", ["-W", "error", "-c", SCRIPT], { env });
  const waiting: Interpreter["waiting"] = new Map();
  createInterface({ input: started.stdout }).on("line", (line) => {
    const [at, outcome] = JSON.parse(line) as [number, Outcome];
    waiting.get(at)?.(outcome);
  });
  // A warning is an error, also one of a thread.
  started.stderr.on("data", (said: Buffer) => waiting.forEach((resolve) => resolve(said.toString())));
  return { process: started, waiting };
}

async function askPython(address: string, question: Question): Promise<Outcome> {
  interpreter ??= startPython();
  const { process: started, waiting } = interpreter;
  const at = waiting.size;
  const outcome = new Promise<Outcome>((resolve) => waiting.set(at, resolve));
  started.stdin.write(`${JSON.stringify([at, address, question])}\n`);
  return outcome;
}

const clients = [
  { name: "TypeScript", ask: askTypescript },
  ...(hasPython ? [{ name: "Python", ask: askPython }] : []),
];

// Most of their time is waiting.
describe.concurrent.each(clients)("the $name client with an invalid or failing server", ({ ask }) => {
  it.each(TABLE)("%s", async (_about, question, outcome, requests) => {
    await using server = await startOddServer();
    expect(await ask(server.address, question)).toEqual(outcome);
    expect(server.seen.map(({ url }) => url)).toHaveLength(requests);
    const keys = server.seen.filter(({ method }) => method === "POST").map(({ key }) => key);
    expect(new Set(keys).size).toBe(question.call === "message" ? 1 : 0);
    expect(keys.every((key) => /^[0-9a-f-]{36}$/.test(key ?? ""))).toBe(true);
    const from = server.seen.at(-1)?.lastEventId;
    expect(from).toBe(["stream", "stream-large", "stream-restart"].includes(question.job) ? "1" : undefined);
  });
});
