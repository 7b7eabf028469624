import { execFile } from "node:child_process";
import { cp, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newWebhookSecret, webhookHeaders } from "#features/webhooks/webhook-signature.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { hasPython, NO_PYTHON } from "#test/support/python.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";

const run = promisify(execFile);
const client = path.join(import.meta.dirname, "../../clients/python");

const WHOLE = `
import json, sys
from docent_client import Docent, DocentError
base_url, project, key = sys.argv[1:]
docent = Docent(base_url, project, key)
job = docent.create_job('Replace "Harbor Cloud" with "Harbor Platform".', idempotency_key="k")
again = docent.create_job('Replace "Harbor Cloud" with "Harbor Platform".', idempotency_key="k")
types = [event["type"] for event in docent.stream_events(job["id"])]
ended = docent.wait_for_job(job["id"])
diff = docent.get_diff(job["id"])
merged = docent.merge_job(job["id"], head=diff["head"])
docent.wait_for_job(docent.create_job("Check links.")["id"])
listed = [one["id"] for page in docent.pages("listAgentJobs", query={"limit": 1, "status": ["completed", "active"]}) for one in page["jobs"]]
totals = [page["totals"]["total"] for page in docent.visitors(date_from="2026-11-01")]
codes = []
for wrong in (lambda: docent.send_message(job["id"], ""), lambda: docent.get_job("job_none"), lambda: docent.call("nothing"),
              lambda: Docent(base_url, project, "docent_none").get_job(job["id"]), lambda: Docent("", project, key),
              lambda: Docent(base_url, project, "a\\nb"), lambda: docent.merge_job(job["id"], head="main"),
              lambda: Docent("http://127.0.0.1:9", project, key, retries=0).get_job("x")):
    try:
        wrong()
        codes.append(None)
    except DocentError as error:
        codes.append(error.code)
heard = []
try:
    Docent("http://127.0.0.1:9", project, key, retries=1, on_retry=lambda error, seconds: heard.append((error.code, 0 < seconds <= 0.5))).get_job("x")
except DocentError:
    pass
print(json.dumps({"heard": heard, "same": job["id"] == again["id"], "first": types[0], "last": types[-1], "status": ended["status"],
    "files": [one["path"] for one in diff["files"]], "merged": merged["pullRequest"]["state"], "listed": len(listed),
    "isFirst": listed[-1] == job["id"], "totals": totals, "codes": codes}))
`;

const TYPED = `
from http.server import BaseHTTPRequestHandler
from typing import List, Optional
from docent_client import Docent, DocentError, WebhookEvent, read_webhook
from docent_client.types import AgentJob, AgentJobEvent, NewlyMadeApiKey

docent = Docent("http://localhost:4000", "prj_1", "docent_1")


def text_of(event: AgentJobEvent) -> Optional[str]:
    if event["type"] == "message":
        return event["data"]["text"]
    if event["type"] == "job.failed":
        return event["data"]["error"]["hint"]
    return None


def follow() -> Optional[str]:
    job: AgentJob = docent.create_job("Fix the broken links.", draft=True)
    for event in docent.stream_events(job["id"], after=0):
        print(event["seq"].bit_length(), text_of(event))
    return docent.wait_for_job(job["id"], timeout=1)["prLink"]


def more(headers: "dict[str, str]", body: bytes, request: BaseHTTPRequestHandler) -> List[str]:
    key: NewlyMadeApiKey = docent.create_api_key({"name": "CI", "scope": "read"})
    paths = [row["path"] for row in docent.iter_visitors(date_from="2026-11-01", limit=50)]
    jobs = [job["title"] or job["id"] for job in docent.iter_agent_jobs(status=["active"])]
    event: WebhookEvent = read_webhook(headers, body, secret="whsec_a")
    read_webhook(request.headers, body, secret="whsec_a")
    try:
        docent.delete_webhook("wh_1")
    except DocentError as error:
        return [error.code, error.request_id or ""]
    told = event["data"]["webhookId"] if event["type"] == "webhook.test" else event["data"]["id"]
    return [key["key"], event["id"], told, *paths, *jobs]


docent.create_api_key({"name": "CI", "scope": "root"})  # no such scope
docent.get_webhook()  # the id is missing
docent.list_agent_jobs(status=["done"])  # no such state
print(docent.send_views({"views": []})["tooOld"])  # no such field
`;

describe("the Python client", () => {
  const made = new AsyncDisposableStack();
  let server: TestServer;
  let folder: string;
  let wheel: string;
  beforeEach(({ skip }) => skip(!hasPython, NO_PYTHON));
  beforeAll(async () => {
    if (!hasPython) return;
    folder = made.use(await createTestDirectory()).path;
    server = made.use(await startTestServer({ engine: "sqlite", files: { "index.md": "Harbor Cloud\n" } }));
    // Installed as its README says, with nothing that is not here; what is made beside the sources is not theirs.
    const copy = path.join(folder, "sources");
    await cp(client, copy, { recursive: true });
    const { stdout } = await run("python3", ["build_backend.py"], { cwd: copy });
    // The gate unpacks the wheel, which is all that pip does with it.
    const hasPip =
      LONG_TESTS &&
      (await run("python3", ["-m", "pip", "--version"]).then(
        () => true,
        () => false,
      ));
    const site = path.join(folder, "site");
    const pip = [
      "-m",
      "pip",
      "install",
      "--quiet",
      "--no-index",
      "--no-deps",
      "--no-cache-dir",
      "--target",
      site,
      copy,
    ];
    await run("python3", hasPip ? pip : ["-m", "zipfile", "-e", stdout.trim(), site]);
    wheel = stdout.trim();
    await rename(path.join(copy, "dist"), path.join(folder, "dist"));
    await rm(copy, { recursive: true });
  });
  afterAll(() => made.disposeAsync());

  async function python(script: string, args: readonly string[]): Promise<unknown> {
    await writeFile(path.join(folder, "use.py"), script);
    const env = { ...process.env, PYTHONPATH: path.join(folder, "site"), PYTHONDONTWRITEBYTECODE: "1" };
    const { stdout } = await run("python3", ["-W", "error", "use.py", ...args], { cwd: folder, env });
    return JSON.parse(stdout);
  }

  it("creates a job, follows it, reads the diff, merges, lists and counts, and distinguishes errors by code", async () => {
    const { project, key } = server.instance;
    expect(await python(WHOLE, [server.baseUrl, project.id, key])).toEqual({
      same: true,
      first: "job.created",
      last: "job.completed",
      status: "completed",
      files: ["index.md"],
      merged: "merged",
      listed: 2,
      isFirst: true,
      heard: [["no_answer", true]],
      totals: [0],
      codes: ["invalid", "not_found", "invalid", "unauthorized", "invalid", "invalid", "invalid", "no_answer"],
    });
  });

  it("verifies webhook signatures", async () => {
    const secret = newWebhookSecret();
    const body = JSON.stringify({ type: "job.completed", data: { id: "job_1", title: "Ärger" } });
    const headers = webhookHeaders({ id: "evt_1", at: new Date(), body }, [newWebhookSecret(), secret]);
    const script = `
import json, sys
from docent_client import read_webhook, DocentError
headers, body, secret = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3]
out = [read_webhook(headers, body, secret=secret)["data"]["title"]]
for changed in ({**headers, "webhook-id": "evt_2"}, {**headers, "webhook-timestamp": "1"}, {**headers, "webhook-timestamp": "x"}, {}):
    try:
        out.append(read_webhook(changed, body, secret=secret)["id"])
    except DocentError as error:
        out.append(error.code)
print(json.dumps(out))
`;
    const args = [JSON.stringify(headers), body, secret.reveal()];
    expect(await python(script, args)).toEqual(["Ärger", ...Array<string>(4).fill("unauthorized")]);
  });

  it("can be imported from its wheel without pip, and includes only its types and license", async () => {
    const env = { ...process.env, PYTHONPATH: path.join(folder, "dist", path.basename(wheel)) };
    const script = "import docent_client, sys; print(docent_client.Docent.__module__)";
    expect((await run("python3", ["-c", script], { cwd: folder, env })).stdout.trim()).toBe("docent_client.client");
    const listed = await run("python3", ["-m", "zipfile", "-l", env.PYTHONPATH]);
    const files = listed.stdout
      .split("\n")
      .slice(1)
      .map((line) => line.split(/\s/)[0] ?? "");
    expect(files).toEqual(expect.arrayContaining(["docent_client/py.typed", "docent_client/types.py"]));
    expect(
      files.filter((file) => !/^(docent_client\/\w+\.(py|typed)|docent_client-[\d.]+\.dist-info\/[\w/]+)?$/.test(file)),
    ).toEqual([]);
  });

  it("has strict types: bodies, events by type, enums", async () => {
    await writeFile(path.join(folder, "typed.py"), TYPED);
    const settings = { include: ["typed.py"], extraPaths: ["site"], typeCheckingMode: "strict", pythonVersion: "3.9" };
    await writeFile(path.join(folder, "pyrightconfig.json"), JSON.stringify(settings));
    const checker = path.join(import.meta.dirname, "../../node_modules/pyright/index.js");
    const outcome = await run(process.execPath, [checker, "--outputjson"], { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    );
    const { generalDiagnostics } = JSON.parse(outcome.stdout) as {
      generalDiagnostics: { rule: string; range: { start: { line: number } } }[];
    };
    const lines = TYPED.split("\n");
    const found = generalDiagnostics.map(({ rule, range }) => `${lines[range.start.line]?.split("# ")[1]}: ${rule}`);
    expect(found).toEqual([
      "no such scope: reportArgumentType",
      "the id is missing: reportCallIssue",
      "no such state: reportArgumentType",
      "no such field: reportTypedDictNotRequiredAccess",
    ]);
  });
});
