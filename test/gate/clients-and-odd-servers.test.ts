import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { createDocentClient, DocentError } from "#client/client.ts";
import { hasPython } from "#test/support/python.ts";
import { startOddServer } from "#test/support/odd-server.ts";

const run = promisify(execFile);
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
  ["a stream of a server that starts again", { call: "stream", job: "stream-restart" }, "job.created message job.completed", 4], // oxfmt-ignore
  ["a wait for a job of a server that starts again", { call: "wait", job: "wait-restart" }, "job_1", 4],
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

// The Python client gives codes that it does not know as they are.
const SCRIPT = `
import json, sys
from docent_client import Docent, DocentError
address, question = sys.argv[1], json.loads(sys.argv[2])
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
print(json.dumps(out))
`;

async function askPython(address: string, question: Question): Promise<Outcome> {
  const env = { ...process.env, PYTHONPATH: python, PYTHONDONTWRITEBYTECODE: "1" };
  const { stdout } = await run("python3", ["-W", "error", "-c", SCRIPT, address, JSON.stringify(question)], { env });
  return JSON.parse(stdout) as Outcome;
}

const clients = [
  { name: "TypeScript", ask: askTypescript },
  ...(hasPython ? [{ name: "Python", ask: askPython }] : []),
];

describe.each(clients)("the $name client with an invalid or failing server", ({ ask }) => {
  // Most of their time is waiting.
  it.concurrent.each(TABLE)("%s", async (...[, question, outcome, requests]) => {
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
