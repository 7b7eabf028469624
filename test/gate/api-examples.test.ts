import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { addPerson } from "#features/accounts/people.ts";
import { createApiKey } from "#features/keys/api-keys.ts";
import { startGiteaServer } from "#testing/hosts/gitea-server.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { startSourceHost } from "#testing/hosts/source-host.ts";
import { createWebhookReceiver } from "#testing/webhook-receiver.ts";
import type { InterfaceDocument } from "#test/support/contract/described-interface.ts";
import { type Call, createRecorder, withoutChance } from "#test/support/contract/real-answers.ts";
import { waitForJob } from "#test/support/instance.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";

const FILE = path.join(import.meta.dirname, "../../src/app/http/examples.json");
const FILES = {
  "index.md": "# Welcome\n\nHarbor Cloud keeps ships.\n",
  "guide.md": "# Guide\n\n[Nowhere](/nowhere)\n",
};
const PROMPT = 'Replace "Harbor Cloud" with "Harbor Platform".';

/** As a server that was started by `docent serve` keeps them. */
async function keepLines(data: string): Promise<void> {
  const lines = [
    { level: 40, time: "2026-03-01T11:59:00.000Z", name: "GITHUB", msg: "models are not offered" },
    {
      level: 50,
      time: "2026-03-01T12:00:00.000Z",
      root: "/var/lib/docent/repositories",
      msg: "a repository is missing",
    },
  ];
  await mkdir(path.join(data, "logs"));
  await writeFile(
    path.join(data, "logs", "docs-1-4000.1.jsonl"),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
}

it("the examples of the document match real responses", async () => {
  await using receiver = await createWebhookReceiver();
  await using server = await startTestServer({
    engine: "sqlite",
    files: FILES,
    environment: { DOCENT_WEBHOOK_ALLOW: "127.0.0.1/32", DOCENT_CODE_HOST_ALLOW: "127.0.0.1/32" },
  });
  const { instance, baseUrl } = server;
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as InterfaceDocument;
  const recorder = createRecorder(document);
  const as = ({ instance: { project, key } }: TestServer) => ({ project: project.id, key });
  const ask = (operation: string, call: Partial<Call> = {}) =>
    recorder.call(baseUrl, { ...as(server), operation, ...call });
  const askUntil = async (isThere: (text: string) => boolean, operation: string, call: Partial<Call> = {}) => {
    const found = createRecorder(document);
    for (let tries = 0; ; tries++) {
      const { value } = await found.call(baseUrl, { ...as(server), operation, ...call });
      if (isThere(JSON.stringify(value))) return ask(operation, call);
      if (tries === 600) throw new Error(`${operation} goes on to answer ${JSON.stringify(value)}`);
      await pause(50);
    }
  };

  const webhook = {
    id: (
      await ask("createWebhook", {
        body: { url: receiver.url, events: ["job.completed", "job.failed"], description: "Chat" },
      })
    ).value.id,
  };
  const job = { id: (await ask("createAgentJob", { body: { prompt: PROMPT } })).value.id };
  await waitForJob(baseUrl, instance, job.id);
  await ask("getAgentJob", { ids: job });
  await ask("listAgentJobs", { query: "?limit=1" });
  await ask("listAgentJobEvents", { ids: job, query: "?limit=4" });
  const { value: all } = await createRecorder(document).call(baseUrl, { ...as(server), operation: "listAgentJobEvents", ids: job, query: "?limit=500" }); // oxfmt-ignore
  const { length } = (all as unknown as { events: unknown[] }).events;
  await ask("followAgentJob", { ids: job, query: `?after=${length - 2}` });
  await ask("getAgentJobDiff", { ids: job });
  await ask("getAgentJobDiff", { ids: job, headers: { Accept: "application/json" } });
  await ask("tryChores", { body: { chores: [{ replace_term: { from: "keeps", to: "looks after" } }] } });
  await ask("archiveAgentJob", { ids: job });
  await ask("sendAgentMessage", { ids: job, body: { prompt: PROMPT } });
  await ask("unarchiveAgentJob", { ids: job });
  await ask("sendAgentMessage", {
    ids: job,
    body: { prompt: 'Replace "keeps" with "looks after".' },
  });
  await waitForJob(baseUrl, instance, job.id);

  await ask("getAgentSession", { ids: job });
  await ask("listAgentSessions", { query: "?take=1" });

  await receiver.arrived(2);
  const { value: deliveries } = await askUntil((text) => !text.includes('"pending"'), "listWebhookDeliveries", {
    ids: webhook,
    query: "?limit=1",
  });
  const [delivery] = (deliveries as unknown as { deliveries: { id: string }[] }).deliveries;
  await ask("listWebhooks");
  await ask("getWebhook", { ids: webhook });
  await ask("updateWebhook", { ids: webhook, body: { events: ["job.completed"] } });
  await ask("testWebhook", { ids: webhook });
  await ask("rotateWebhookSecret", { ids: webhook });
  await ask("redeliverWebhook", { ids: { ...webhook, deliveryId: delivery!.id } });

  const automation = {
    id: (await ask("createAutomation", { body: { name: "Terms", prompt: PROMPT, trigger: { kind: "api" } } })).value.id,
  };
  await ask("listAutomations");
  await ask("getAutomation", { ids: automation });
  await ask("updateAutomation", { ids: automation, body: { draft: true } });
  await ask("runAutomation", { ids: automation });
  await ask("listAutomationRuns", { ids: automation });
  const second = { name: "Links", prompt: "Fix the broken links.", trigger: { kind: "api" } };
  await ask("triggerAutomation", {
    ids: { workflowSchemaId: (await ask("createAutomation", { body: second })).value.id },
  });

  const site = { domain: "test-docs" };
  await askUntil((text) => text.includes('"guide"'), "searchPages", {
    ids: site,
    body: { query: "nowhere", pageSize: 1 },
  });
  await ask("readPage", { ids: site, body: { path: "guide" } });

  const { value: deployed } = await askUntil((text) => /"warnings":\d/.test(text), "listDeployments");
  const [deployment] = (deployed as unknown as { deployments: { id: string; commit: string }[] }).deployments;
  await ask("getDeployment", { ids: { id: deployment!.id } });
  await ask("pinSite", { body: { commit: deployment!.commit } });
  await ask("getSitePin");
  const update = { statusId: String((await ask("updateSite")).value["statusId"]) };
  await askUntil((text) => text.includes('"success"'), "getSiteUpdate", { ids: update });
  await ask("previewBranch", { body: { branch: "main" } });

  const made = (await ask("createApiKey", { body: { name: "Release pipeline", scope: "read" } })).value;
  await ask("listApiKeys");
  await ask("createAgentJob", { key: String(made["key"]), body: { prompt: PROMPT } });
  await ask("revokeApiKey", { ids: { id: made.id } });
  await ask("setApiAccess", { body: { hosts: ["api.example.com"] } });
  await ask("listApiAddresses");
  await ask("readApiAddresses");

  await using host = await startGiteaServer({ "index.md": "# Handbook\n" });
  const ofInstance = {
    key: (
      await createApiKey(
        { database: instance.database, clock: { now: () => new Date() }, keysPerHour: 10 },
        { projectId: null, name: "provisioning", expiresInDays: 90 },
      )
    ).key,
  };
  const handbook = await ask("createProject", {
    ...ofInstance,
    body: { name: "Harbor handbook", repository: { url: host.url, token: HOST_TOKEN, host: "gitea" } },
  });
  await ask("listProjects", { ...ofInstance, query: "?limit=1" });
  await ask("getProject", ofInstance);
  await ask("updateProject", {
    ...ofInstance,
    body: { settings: { instructions: "Write short sentences." }, domains: ["docs.example.com"] },
  });
  await ask("updateProject", { ...ofInstance, body: { settings: { instructions: null }, domains: [] } });
  await ask("listModels");
  const connected = { ...ofInstance, project: handbook.value.id };
  await ask("getProjectConnection", connected);
  await ask("replaceProjectToken", { ...connected, body: { token: HOST_TOKEN } });
  await ask("syncProject", connected);
  await using product = await startSourceHost({ "src/server.ts": "export const port = 4000;\n" });
  const address = { url: product.server.url, token: product.token, host: "github" };
  const source = { id: (await ask("addSource", { ...ofInstance, body: { name: "api", ...address } })).value.id };
  await ask("listSources");
  await ask("getSource", { ids: source });
  await ask("replaceSourceToken", { ids: source, body: { token: product.token } });
  await ask("removeSource", { ids: source });
  await ask("updateProject", { ...ofInstance, body: { access: { mode: "links" } } });
  await ask("createSiteLink", { body: { path: "/guide", expiresInSeconds: 86_400 } });
  await ask("endSiteSessions");
  await ask("updateProject", { ...ofInstance, body: { access: { mode: "public" } } });
  await ask("deleteProject", { ...connected, query: "?name=Harbor%20handbook" });
  const pipeline = { name: "Provisioning", scope: "admin", allow: ["10.0.0.0/8"] };
  const wide = (await ask("createInstanceKey", { ...ofInstance, body: pipeline })).value;
  await ask("listInstanceKeys", ofInstance);
  await keepLines(instance.data);
  await ask("listLogLines", { ...ofInstance, query: "?level=warn&limit=1" });
  await ask("revokeInstanceKey", { ...ofInstance, ids: { id: wide.id } });
  const email = "ada@example.com";
  const person = { name: "Ada Writer", email, isOwner: false, passwordHash: null, at: new Date() };
  await instance.database.transaction((transaction) => addPerson(transaction, person));
  await ask("setMember", { ...ofInstance, body: { email, role: "editor" } });
  await ask("listMembers", ofInstance);
  await ask("listAuditEvents", { ...ofInstance, query: "?limit=1" });
  await ask("listInstanceAuditEvents", { ...ofInstance, query: "?limit=1" });
  await ask("inviteMember", { ...ofInstance, body: { email: "grace@example.com", role: "viewer" } });
  await ask("listInvitations", ofInstance);

  // Last: a merge gives the branch a commit with the time of today.
  await ask("mergeAgentJob", { ids: job });
  const other = { id: (await ask("createAgentJob", { body: { prompt: 'Replace "Guide" with "Guides".' } })).value.id };
  await waitForJob(baseUrl, instance, other.id);
  await ask("closeAgentJob", { ids: other });

  const view = {
    event_id: "view-1",
    path: "/guide",
    address: "203.0.113.7",
    userAgent: "claude-code/2.1.4",
    surface: "markdown",
  };
  await ask("sendViews", { body: { views: [view] } });
  await askUntil((text) => text.includes('"/guide"'), "getVisitors");
  await ask("getVisitors", { headers: { Accept: "text/csv" } });
  await ask("getViews");
  for (const report of ["getSeries", "getAgents", "getSurfaces", "getReferrers", "getMissingPages", "getNotCounted"]) {
    await ask(report);
    await ask(report, { headers: { Accept: "text/csv" } });
  }
  await ask("eraseAddress", { body: { address: "203.0.113.7" } });
  await ask("getAnalyticsSnippet");
  await ask("getVisitors", { query: "?limit=1000" });
  await ask("getVisitors", { key: "docent_none" });
  await ask("getAgentJob", { ids: { id: "job_none" } });
  await ask("createAgentJob", { body: {} });
  await ask("createAgentJob", { body: { prompt: PROMPT }, headers: { "Content-Type": "text/plain" } });
  await ask("createAgentJob", { body: { prompt: "x".repeat(300_000) } });
  await ask("createAgentJob", { body: { prompt: PROMPT }, headers: { "Idempotency-Key": "publish-4f2a9c1" } });
  await ask("createAgentJob", { body: { prompt: "Another." }, headers: { "Idempotency-Key": "publish-4f2a9c1" } });
  await ask("getAgentJob", { ids: job, headers: { "X-Long": "x".repeat(17_000) } });

  // Nobody works here: what is active stays so.
  await using idle = await startTestServer({ engine: "sqlite", files: FILES, environment: { DOCENT_JOBS_AT_ONCE: "0", DOCENT_AGENT_CALLS_PER_HOUR: "2" } }); // oxfmt-ignore
  const elsewhere = createRecorder(document);
  const waiting = {
    id: (await elsewhere.call(idle.baseUrl, { ...as(idle), operation: "createAgentJob", body: { prompt: PROMPT } }))
      .value.id,
  };
  await recorder.call(idle.baseUrl, {
    ...as(idle),
    operation: "cancelAgentJob",
    ids: waiting,
    body: { keepWork: false },
  });
  await recorder.call(idle.baseUrl, { ...as(idle), operation: "retryAgentJob", ids: waiting });
  await recorder.call(idle.baseUrl, { ...as(idle), operation: "createAgentJob", body: { prompt: PROMPT } });

  for (const { type, raw } of receiver.received.slice(0, 1))
    recorder.answers[type] = { body: JSON.parse(raw), answers: {} };
  const places = {
    [baseUrl]: "https://docs.example.com",
    [idle.baseUrl]: "https://docs.example.com",
    [receiver.url]: "https://example.com/hooks",
    [new URL(host.url).origin]: "https://git.example.com",
    [HOST_TOKEN]: "4f2a9c1b7d0e5a3c8f6b",
    [product.server.origin]: "https://github.com",
    [product.token]: "8d1f0c6a4b7e2f9d3c5a",
  };
  const examples = withoutChance(recorder.answers, places);
  const written = `${JSON.stringify(examples, null, 2)}\n`;
  expect(written).not.toMatch(/localhost|127\.0\.0\.1|docent_[0-9A-Za-z]{20}/);
  // After a change: npm test -- test/gate/api-examples.test.ts -u
  await expect(written).toMatchFileSnapshot(FILE);
});
