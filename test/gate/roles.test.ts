import { afterAll, beforeAll, expect, it } from "vitest";
import { ENGINES } from "#testing/databases.ts";
import { browse, browseAsOperator, type Browsing } from "#testing/browsing.ts";
import { browseAs, makePerson } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { setRole } from "#features/accounts/members.ts";
import type { JobId } from "#lib/ids.ts";

/**
 * Every page and form of the dashboard with the least that it needs, written out: `read`, `agent`, `write` and `admin` are
 * levels in the project, `owner` and `account` are for the instance, `open` needs nothing.
 */
const NEEDS = `
  open GET /-/join/:token
  open POST /-/join/:token
  open GET /-/forgot
  open POST /-/forgot
  open GET /-/reset
  open POST /-/reset
  open POST /-/oauth/register
  open POST /-/oauth/token
  open GET /-/oauth/authorize
  account POST /-/oauth/authorize
  account GET /open-site
  account GET /-/jump
  owner GET /-/setup
  owner POST /-/setup
  account GET /-/account
  account POST /-/account/:action
  account POST /-/account/passkey-options
  account GET /-/account/two-factor
  account POST /-/account/two-factor/:change
  owner GET /-/people
  owner GET /-/new
  owner POST /-/new/:from
  owner GET /-/new/connecting/:from/:id
  owner GET /-/audit
  owner GET /-/:file
  owner POST /-/people/:action
  owner GET /-/people/:id
  owner POST /-/people/:id/:action
  open GET /admin
  open GET /admin/connect
  owner GET /admin/github-app
  owner GET /admin/github-app/made
  owner GET /admin/github-app/installed
  owner GET /admin/github-app/:id
  read GET /:slug
  read GET /:slug/jobs
  agent POST /:slug/jobs
  agent GET /:slug/jobs/chores
  agent POST /:slug/jobs/chores
  read GET /:slug/jobs/:id
  read GET /:slug/jobs/:id/review
  read GET /:slug/jobs/:id/stream
  read GET /:slug/jobs/:id/images/:message/:number
  agent POST /:slug/jobs/:id/message
  agent POST /:slug/jobs/:id/retry
  agent POST /:slug/jobs/:id/cancel
  agent POST /:slug/jobs/:id/archive
  agent POST /:slug/jobs/:id/unarchive
  read GET /:slug/rendered/:commit/*
  read GET /:slug/pages
  write GET /:slug/pages/new
  read GET /:slug/pages/edit
  write POST /:slug/pages/edit
  read GET /:slug/pulls
  read GET /:slug/pull/:number
  read GET /:slug/pull/:number/commits
  read GET /:slug/pull/:number/files
  read GET /:slug/pull/:file
  read GET /:slug/pull/:number/preview
  write POST /:slug/pull/:number/merge
  write POST /:slug/pull/:number/close
  write POST /:slug/pull/:number/ready
  read POST /:slug/pull/:number/comment
  read POST /:slug/pull/:number/comments/:comment/edit
  read POST /:slug/pull/:number/comments/:comment/delete
  read POST /:slug/pull/:number/threads/:thread/resolve
  read POST /:slug/pull/:number/threads/:thread/reopen
  read GET /:slug/deployments
  read GET /:slug/deployments/:number
  read GET /:slug/previews/:hash
  agent POST /:slug/deployments/preview
  write POST /:slug/deployments/:action
  read GET /:slug/analytics
  read GET /:slug/analytics/:file
  read GET /:slug/analytics/feedback
  agent POST /:slug/analytics/feedback/:id
  admin POST /:slug/first-steps/dismiss
  admin GET /:slug/settings
  admin POST /:slug/settings/general
  admin POST /:slug/settings/agent
  admin POST /:slug/settings/quotas
  admin POST /:slug/settings/visitors
  admin POST /:slug/settings/archive
  admin POST /:slug/settings/unarchive
  admin POST /:slug/settings/delete
  admin POST /:slug/settings/instruction
  admin GET /:slug/models
  admin POST /:slug/models/choose
  admin POST /:slug/models/add
  admin POST /:slug/models/remove
  agent GET /:slug/automations
  admin POST /:slug/automations/add
  admin POST /:slug/automations/example
  agent GET /:slug/automations/:id
  agent POST /:slug/automations/:id/run
  admin POST /:slug/automations/:id/change
  admin POST /:slug/automations/:id/pause
  admin POST /:slug/automations/:id/resume
  admin POST /:slug/automations/:id/delete
  admin GET /:slug/webhooks
  admin POST /:slug/webhooks/add
  admin GET /:slug/webhooks/:id
  admin POST /:slug/webhooks/:id/change
  admin POST /:slug/webhooks/:id/enable
  admin POST /:slug/webhooks/:id/disable
  admin POST /:slug/webhooks/:id/rotate
  admin POST /:slug/webhooks/:id/test
  admin POST /:slug/webhooks/:id/redeliver
  admin POST /:slug/webhooks/:id/delete
  admin GET /:slug/sources
  admin POST /:slug/sources/add
  admin POST /:slug/sources/:id/token
  admin POST /:slug/sources/:id/remove
  admin GET /:slug/site
  admin POST /:slug/site/external
  admin POST /:slug/site/domain
  admin POST /:slug/site/change
  admin POST /:slug/site/address
  admin POST /:slug/site/access
  admin POST /:slug/site/api-hosts
  admin POST /:slug/site/api-read
  admin POST /:slug/site/link
  admin POST /:slug/site/sign-out
  admin GET /:slug/members
  admin POST /:slug/members/invite
  admin POST /:slug/members/role
  admin POST /:slug/members/withdraw
  admin GET /:slug/audit
  admin GET /:slug/:file
  admin GET /:slug/keys
  admin POST /:slug/keys
  admin GET /:slug/keys/:id/revoke
  admin POST /:slug/keys/:id/revoke
  admin GET /:slug/connection
  admin POST /:slug/connection/:action
`
  .trim()
  .split("\n")
  .map((line) => line.trim().split(" ") as [string, string, string]);

const WHO = ["reader", "viewer", "editor", "admin", "owner", "outsider", "other admin", "stranger"] as const;
type Who = (typeof WHO)[number];
const REACH: Record<string, readonly Who[]> = {
  read: ["viewer", "editor", "admin", "owner"],
  agent: ["editor", "admin", "owner"],
  write: ["editor", "admin", "owner"],
  admin: ["admin", "owner"],
  owner: ["owner"],
  account: ["reader", "viewer", "editor", "admin", "owner", "outsider", "other admin"],
  open: WHO,
};

let app: TestApp;
let browsers: Record<Who, Browsing>;

beforeAll(async () => {
  app = await createTestApp("sqlite");
  const other = await app.makeProject("Other docs");
  const as = async (wish: Parameters<typeof makePerson>[1]) => browseAs(app, await makePerson(app, wish));
  browsers = {
    reader: await as({ role: "reader" }),
    viewer: await as({ role: "viewer" }),
    editor: await as({ role: "editor" }),
    admin: await as({ role: "admin" }),
    owner: await as({ isOwner: true }),
    outsider: await as({}),
    "other admin": await as({ role: "admin", project: other }),
    stranger: await browse(app, null),
  };
});
afterAll(() => app[Symbol.asyncDispose]());

const EXAMPLES: Record<string, string> = {
  ":slug": "harbor-docs",
  ":token": "x".repeat(43),
  ":number": "7",
  ":message": "7",
  ":comment": `cmt_${"0".repeat(26)}`,
  ":thread": `thr_${"0".repeat(26)}`,
  ":hash": "0123456789",
};
/** An address of a route, with ids that nothing has. */
function addressOf(pattern: string): string {
  const id = pattern.includes("/people/") ? "usr" : pattern.includes("/keys/") ? "key" : pattern.includes("/jobs/") ? "job" : pattern.includes("/automations/") ? "aut" : pattern.includes("/webhooks/") ? "whk" : pattern.includes("/sources/") ? "src" : pattern.includes("github-app") ? "app" : pattern.includes("/new/connecting/") ? "req" : "fbk"; // oxfmt-ignore
  const action = pattern.includes("/people/:id") ? "owner" : pattern.includes("/deployments") ? "unpin" : pattern.includes("/site") ? "change" : pattern.includes("/new/") ? "empty" : pattern.includes("/two-factor") ? "off" : pattern.includes("/account") ? "name" : pattern.includes("/connection") ? "sync" : "withdraw"; // oxfmt-ignore
  const file = pattern.includes("/analytics/") ? "pages.csv" : pattern.includes("/pull/") ? "7.diff" : "audit.csv";
  return pattern
    .replace(":file", file)
    .replaceAll(/:\w+/g, (name) => EXAMPLES[name] ?? (name === ":id" ? `${id}_${"0".repeat(26)}` : action));
}

it("lists every page and form of the dashboard", () => {
  const known = new Set(NEEDS.map(([, , path]) => path));
  const plain = (path: string) => path.replaceAll(/\{[^/]*\}/g, "");
  const pages = app.app.routes
    .map(({ path }) => path)
    .filter((path) => /^\/(?:-|:slug|admin|open-site)(?:\/|$|\{)/.test(path))
    .map(plain);
  expect([...new Set(pages)].filter((path) => !known.has(path) && !path.endsWith("*")).sort()).toEqual([]);
});

it("lets each role do what it may, and nothing else", async () => {
  const wrong: string[] = [];
  for (const [needs, method, pattern] of NEEDS) {
    const path = addressOf(pattern);
    for (const who of WHO) {
      const isOfProject = pattern.includes(":slug");
      // Without its fields: whoever is let in is told what is missing, or that there is no such thing.
      const { status, location, text } = await (method === "GET"
        ? browsers[who].get(path)
        : browsers[who].post(path, {}));
      const isAsked = status === 303 && (location ?? "").startsWith("/sign-in");
      const isForOwners = text.includes("This page is for owners") || text.includes("This is for owners");
      const isRefused =
        isAsked ||
        isForOwners ||
        (status === 403 && text.includes("Your role")) ||
        text.includes("people with an account");
      const isIn = REACH[needs]!.includes(who);
      const isHidden = isOfProject && ["outsider", "other admin"].includes(who);
      if (isHidden) {
        if (status !== 404) wrong.push(`${who} ${method} ${path}: ${status}`);
      } else if (isIn ? isRefused || status >= 500 : !isRefused) {
        wrong.push(`${who} ${method} ${path}: ${status} ${location ?? ""}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

it.each(ENGINES)("a revoked role ends at the next request, on %s", async (engine) => {
  await using own = await createTestApp(engine);
  const person = await makePerson(own, { role: "editor" });
  const editor = await browseAs(own, person);
  const projectId = own.project.id;
  expect((await editor.get("/harbor-docs/jobs")).text).toContain("Run a chore");
  await setRole(own, { projectId, personId: person.id, role: "viewer" });
  expect((await editor.get("/harbor-docs/jobs")).text).not.toContain("Run a chore");
  expect((await editor.post("/harbor-docs/jobs", { prompt: "Fix the broken links." })).status).toBe(403);
  await setRole(own, { projectId, personId: person.id, role: null });
  expect((await editor.get("/harbor-docs/jobs")).status).toBe(404);
});

it("an operator's link opens the page for new projects, but not the list of people", async () => {
  const operator = await browseAsOperator(app);
  expect((await operator.get("/-/new")).status).toBe(200);
  expect((await operator.get("/-/people")).location).toMatch(/^\/sign-in/);
});

it("the command menu links each role to what it may open, and to nothing in other projects", async () => {
  const places = async (who: Who, query: string) => {
    const { text } = await browsers[who].get(`/-/jump?${query}`);
    const { groups } = JSON.parse(text) as { groups: { title: string; entries: { href: string }[] }[] };
    return groups.flatMap(({ title, entries }) => entries.map(({ href }) => `${title} ${href}`));
  };
  const here = app.project.name;
  expect(await places("viewer", "project=harbor-docs&search=key")).toEqual([]);
  expect(await places("admin", "project=harbor-docs&search=key")).toEqual([`${here} /harbor-docs/keys`]);
  expect(await places("other admin", "project=harbor-docs&search=o")).toEqual(
    expect.arrayContaining(["Projects /other-docs"]),
  );
  expect((await places("other admin", "project=harbor-docs&search=o")).join("\n")).not.toContain("harbor");
  expect(await places("owner", "search=people")).toEqual(["Server /-/people"]);
  await app.database.kysely
    .updateTable("job")
    .set({ title: "Fix 50% of_it" })
    .where("id", "=", (await app.call("POST", "/job", { body: { prompt: "Fix the broken links." } })).json.id as JobId)
    .execute();
  expect(await places("viewer", "project=harbor-docs&search=50%25+OF_")).toEqual([
    expect.stringMatching(/^Jobs \/harbor-docs\/jobs\/job_/),
  ]);
  expect(await places("viewer", "project=harbor-docs&search=50_")).toEqual([]);
});
