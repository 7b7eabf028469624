import { setTimeout as sleep } from "node:timers/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { createApiKey, listApiKeys, revokeApiKey } from "#features/keys/api-keys.ts";
import { maintainAnalytics } from "#features/visitors/index/maintenance.ts";
import { rebuildVisitorIndex } from "#features/visitors/index/rebuild.ts";
import { sweep } from "#features/jobs/requests/sweeper.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { redact } from "#lib/secrets/secret-scan.ts";
import type { Project } from "#features/projects/project.ts";
import { createProject, saveSettings } from "#features/projects/projects.ts";
import { ENGINES } from "#testing/databases.ts";
import { commitFiles, createTestDirectory, createTestRepository, git } from "#testing/repositories.ts";
import { userAgents } from "#testing/views.ts";
import { createWebhookReceiver } from "#testing/webhook-receiver.ts";
import { belongings } from "#test/support/belongings.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import { createSiteClient } from "#test/support/site-client.ts";
import { openKeyVault } from "#lib/secrets/key-vault.ts";
import { secretsFile } from "#app/instance/secrets-file.ts";

const DAY_MS = 24 * 3_600_000;
const FILES = {
  "docs.json": '{"name":"Docs","navigation":{"pages":["index","guide"]}}',
  "index.md": "# Welcome\n\nHarbor Cloud is [here](/guide).\n",
  "guide.md": "# Guide\n\nHarbor Cloud once more.\n",
};

interface Tenant {
  project: Project;
  key: string;
}

interface Body {
  id: string;
  status: string;
  prLink: string | null;
  deliveries: { id: string }[];
}

/** The calls of one tenant: API, git and site. */
function clientOf(server: TestServer, { project, key }: Tenant) {
  const authorization = `Bearer ${key}`;
  async function send(method: string, at: string, body?: unknown): Promise<Body> {
    const response = await fetch(server.baseUrl + at, {
      method,
      headers: { authorization, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${at}: ${response.status} ${text}`);
    return JSON.parse(text === "" ? "{}" : text) as Body;
  }
  const agent = `/v2/agent/${project.id}`;
  return {
    agent: (method: string, at: string, body?: unknown) => send(method, agent + at, body),
    async finished(id: string): Promise<Body> {
      for (let tries = 0; tries < 2_000; tries++) {
        const job = await send("GET", `${agent}/job/${id}`);
        if (job.status !== "active") return job;
        await sleep(50);
      }
      throw new Error(`job ${id} did not end`);
    },
    sendViews: (views: object[]) => send("POST", `/v1/analytics/${project.id}/views`, { views }),
    /** What the tenant hears of itself. */
    async answers(): Promise<string[]> {
      const addresses = [
        `${agent}/jobs`,
        `${agent}/webhooks`,
        `${agent}/automations`,
        `/v1/analytics/${project.id}/visitors?limit=250`,
        `/v1/analytics/${project.id}/views?limit=250`,
      ];
      return await Promise.all(addresses.map(async (at) => JSON.stringify(await send("GET", at))));
    },
    /** What a crawler sees of the tenant's site; each look counts as a view. */
    async pages(): Promise<string[]> {
      using site = createSiteClient({ ...server, instance: { ...server.instance, project } });
      const pages = await Promise.all(
        ["/", "/guide", "/guide.md", "/llms.txt"].map(async (at) => {
          const { status, text } = await site.send(at, { headers: { "user-agent": "Googlebot/2.1" } });
          return `${status} ${text}`;
        }),
      );
      expect(pages.filter((page) => !page.startsWith("200 "))).toEqual([]);
      return pages;
    },
  };
}

const view = (event: string, daysAgo: number, address: string) => ({
  event_id: event,
  path: event.endsWith("0") ? "/guide" : "/",
  address,
  userAgent: userAgents.chrome,
  referrer: "https://news.example/story",
  time: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
});

/** Everything a project can have: jobs in each state, a webhook with deliveries, automations, views of many days. */
async function settle(server: TestServer, tenant: Tenant, hook: string) {
  const client = clientOf(server, tenant);
  const webhook = await client.agent("POST", "/webhooks", { url: hook });
  const automation = await client.agent("POST", "/automations", {
    name: "Links",
    prompt: "Fix the broken links.",
    trigger: { kind: "api" },
  });
  const first = await client.agent("POST", "/job", { prompt: 'Replace "Harbor Cloud" with "Harbor Platform".' });
  await client.finished(first.id);
  await client.agent("POST", `/job/${first.id}/message`, { prompt: 'Add a page titled "New" with the text "Words."' });
  await client.finished(first.id);
  const second = await client.agent("POST", "/job", { prompt: "Fix the broken links." });
  await client.finished(second.id);
  await client.agent("POST", `/job/${second.id}/archive`);
  const third = await client.agent("POST", "/job", { prompt: "Write a poem." });
  await client.finished(third.id);
  await client.sendViews(
    Array.from({ length: 60 }, (_, day) => view(`${tenant.project.slug}-${day}`, day, `198.51.100.${day % 7}`)),
  );
  return { client, webhook, automation, first, second, third };
}

/** Until nothing of the project changes any more: deliveries are out, views are folded. */
async function quiet(server: TestServer, project: Project): Promise<Record<string, string[]>> {
  const { database } = server.instance;
  let before = await belongings(database, project.id);
  for (let tries = 0; tries < 100; tries++) {
    await sleep(1_000);
    const after = await belongings(database, project.id);
    const isSame = JSON.stringify(after) === JSON.stringify(before);
    if (isSame && (after["view_segment"]?.length ?? 0) > 0) return after;
    before = after;
  }
  throw new Error("the project never came to rest");
}

it.each(ENGINES)(
  "whatever one project does on %s, nothing of another one changes",
  async (engine) => {
    await using receiver = await createWebhookReceiver();
    await using server = await startTestServer({
      engine,
      files: FILES,
      environment: { DOCENT_WEBHOOK_ALLOW: "127.0.0.1/32", DOCENT_JOBS_AT_ONCE: "2" },
    });
    const { database, repoStore, project, key } = server.instance;
    const deps = { database, repoStore, clock: systemClock, logger: silentLogger };
    const time = { now: async () => new Date() };
    const vault = await openKeyVault(secretsFile(server.instance.data));
    await using source = await createTestRepository(FILES);
    const other = await createProject(deps, { name: "Other docs", source: source.path, branch: null });
    const otherKey = await createApiKey(
      { ...deps, keysPerHour: 100 },
      { projectId: other.id, name: "test", expiresInDays: 7 },
    );
    // A key opens the repository of its own project alone.
    for (const service of ["git-upload-pack", "git-receive-pack"]) {
      const ask = async (password: string) => {
        const authorization = `Basic ${Buffer.from(`docent:${password}`).toString("base64")}`;
        const at = `${server.baseUrl}/git/${other.slug}.git/info/refs?service=${service}`;
        return (await fetch(at, { headers: { authorization } })).status;
      };
      expect([await ask(key), await ask(otherKey.key)]).toEqual([401, 200]);
    }
    const mine = { project, key };
    const theirs = { project: other, key: otherKey.key };
    const a = await settle(server, mine, receiver.url);
    const b = await settle(server, theirs, receiver.url);
    // The dates of pages are read in the background.
    await expect.poll(async () => (await b.client.pages()).join("").split("Last changed")).toHaveLength(3);
    const pages = await b.client.pages();
    await quiet(server, other);
    await maintainAnalytics({ ...deps, time, vault });
    const rows = await belongings(database, other.id);
    const branches = await repoStore.branches(other.id);
    const answers = await b.client.answers();
    // Otherwise the comparison below would compare nothing.
    expect(Object.keys(rows)).toEqual(
      expect.arrayContaining(
        "project api_key job job_message job_step job_event job_turn pull_request webhook_endpoint webhook_event webhook_delivery webhook_attempt automation analytics_project view_segment view_tally visitor_presence visitor_count visitor_secret".split(
          " ",
        ),
      ),
    );
    expect(branches.length).toBeGreaterThan(1);

    // Jobs, webhooks, automations.
    const deliveries = await a.client.agent("GET", `/webhooks/${a.webhook.id}/deliveries`);
    await a.client.agent("POST", `/webhooks/${a.webhook.id}/deliveries/${deliveries.deliveries[0]!.id}/redeliver`);
    await a.client.agent("POST", `/webhooks/${a.webhook.id}/rotate`);
    await a.client.agent("POST", `/automation/${a.automation.id}/run`);
    const cancelled = await a.client.agent("POST", "/job", { prompt: "Fix the broken links." });
    await a.client.agent("POST", `/job/${cancelled.id}/cancel`).catch(() => undefined); // it may have ended before
    await a.client.finished(cancelled.id);
    await a.client.agent("POST", `/job/${a.second.id}/unarchive`);
    await a.client.agent("DELETE", `/job/${a.third.id}`);
    await a.client.agent("DELETE", `/webhooks/${a.webhook.id}`);
    await a.client.agent("DELETE", `/automations/${a.automation.id}`);

    // Pushes: a page changed, a branch made and deleted.
    await using folder = await createTestDirectory();
    const address = `http://docent:${key}@127.0.0.1:${server.port}/git/${project.slug}.git`;
    await git(folder.path, "clone", "--quiet", address, "work");
    const work = path.join(folder.path, "work");
    await commitFiles(work, { "index.md": "# Another start\n", "guide.md": null }, "Rewrite");
    await git(work, "push", "--quiet", "origin", "HEAD:main", "HEAD:refs/heads/extra");
    await git(work, "push", "--quiet", "origin", ":refs/heads/extra");

    // Settings, keys, maintenance of everything, with a retention that only this project has.
    const analytics = { retentionDays: 8, identity: "daily" as const };
    await saveSettings({ database }, project, { ...project.settings, analytics });
    await rebuildVisitorIndex(deps, { projectId: project.id });
    await maintainAnalytics({ ...deps, time, vault });
    await sweep({ ...deps, time, redact, deliveryDays: 30 }, new AbortController().signal);
    await repoStore.maintain(project.id);
    await a.client.sendViews([view("late-0", 0, "203.0.113.9"), view("late-1", 1, "203.0.113.9")]);
    const [apiKey] = await listApiKeys({ database }, project.id);
    await revokeApiKey(deps, apiKey!.id);
    await quiet(server, project);

    expect(await belongings(database, other.id)).toEqual(rows);
    expect(await repoStore.branches(other.id)).toEqual(branches);
    expect(await b.client.answers()).toEqual(answers);
    expect(await b.client.pages()).toEqual(pages);
    await expect(a.client.agent("GET", "/jobs")).rejects.toThrow("401");
  },
  240_000,
);
