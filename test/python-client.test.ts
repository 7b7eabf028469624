import { execFile, execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newWebhookSecret, webhookHeaders } from "#jobs/webhooks/webhook-signature.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { startTestServer, type TestServer } from "./support/server.ts";

const run = promisify(execFile);
const client = path.join(import.meta.dirname, "../clients/python");

/** Whether this machine has a Python that the client says it runs on. */
const hasPython = (() => {
  try {
    execFileSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

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
print(json.dumps({"same": job["id"] == again["id"], "first": types[0], "last": types[-1], "status": ended["status"],
    "files": [one["path"] for one in diff["files"]], "merged": merged["pullRequest"]["state"], "listed": len(listed),
    "isFirst": listed[-1] == job["id"], "totals": totals, "codes": codes}))
`;

describe.skipIf(!hasPython)("the Python client (needs python3, 3.9 or newer)", () => {
  const made = new AsyncDisposableStack();
  let server: TestServer;
  let folder: string;
  beforeAll(async () => {
    folder = made.use(await createTestDirectory()).path;
    server = made.use(await startTestServer({ engine: "sqlite", files: { "index.md": "Harbor Cloud\n" } }));
    await mkdir(folder, { recursive: true });
  });
  afterAll(() => made.disposeAsync());

  async function python(script: string, args: readonly string[]): Promise<unknown> {
    await writeFile(path.join(folder, "use.py"), script);
    const env = { ...process.env, PYTHONPATH: client, PYTHONDONTWRITEBYTECODE: "1" };
    const { stdout } = await run("python3", ["-W", "error", "use.py", ...args], { cwd: folder, env });
    return JSON.parse(stdout);
  }

  it("creates a job, follows it, reads the diff, merges, lists and counts, and tells errors by their codes", async () => {
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
      totals: [0],
      codes: ["invalid", "not_found", "invalid", "unauthorized", "invalid", "invalid", "invalid", "no_answer"],
    });
  });

  it("reads what a server signed, and refuses the rest", async () => {
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

  it("tells pages of HTML, cut answers and redirects as one kind of error", async () => {
    const odd = createServer((request, response) => {
      if (request.url?.includes("html")) response.end("<html>hello</html>");
      else if (request.url?.includes("redirect")) response.writeHead(302, { location: "http://127.0.0.1:9/" }).end();
      else response.writeHead(200, { "content-length": "100" }).write("{", () => response.destroy());
    });
    await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
    made.defer(() => void odd.close());
    const script = `
import json, sys
from docent_client import Docent, DocentError
out = []
for name in ("html", "redirect", "cut"):
    try:
        Docent(sys.argv[1], "prj", "docent_key", retries=0).get_job(name)
    except DocentError as error:
        out.append([error.code, error.status])
print(json.dumps(out))
`;
    const address = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`;
    expect(await python(script, [address])).toEqual([
      ["unexpected_answer", 200],
      ["unexpected_answer", 302],
      ["no_answer", null],
    ]);
  });
});
