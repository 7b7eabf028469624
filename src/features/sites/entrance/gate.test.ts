import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { type AccessMode, endSiteVisits, readSiteAccess, setSiteAccess } from "#features/projects/site-access.ts";
import { insertProject } from "#features/projects/projects.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";
import { makeEntry } from "./entries.ts";

const PASSWORD = "correct horse 9";
const WORDS = /Harbour|lighthouse|mooring|prompt-secret/i;

let site: TestSite;
let store: Awaited<ReturnType<typeof openTestDatabase>>;
const now = new Date("2026-11-20T12:00:00Z");

/** Sets the site's access, as the owner does. */
async function setAccess(mode: AccessMode, password: string | null = mode === "password" ? PASSWORD : null) {
  const deps = { database: store.database, clock: { now: () => now } };
  await setSiteAccess(deps, site.project.id, { mode, password: password === null ? null : new Secret(password) });
  site.project.access = await readSiteAccess(store.database.kysely, site.project.id);
}

const tokenSite = () => ({ id: site.project.id, version: site.project.access!.version });
const HOUR = 3_600_000;

beforeAll(async () => {
  site = await createTestSite(
    {
      "docs.json": JSON.stringify({
        name: "Harbour",
        redirects: [{ source: "/lantern", destination: "/mooring" }],
        navigation: { pages: ["index", "mooring"] },
      }),
      "index.md": "# Harbour\n\nThe lighthouse.\n",
      "mooring.md": "# Mooring\n\nprompt-secret\n",
      "img/lighthouse.svg": "<svg xmlns='http://www.w3.org/2000/svg'><title>lighthouse</title></svg>",
    },
    { search: { admits: () => true } },
  );
  store = await openTestDatabase("sqlite");
  const { id, slug, name, branch } = site.project;
  await insertProject(store.database.kysely, {
    id,
    slug,
    name,
    branch,
    sourceUrl: null,
    codeHost: "embedded",
    pin: null,
    archivedAt: null,
    settings: {},
    createdAt: now,
  });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

const SURFACES: [path: string, init?: RequestInit][] = [
  ["/"],
  ["/mooring"],
  ["/mooring/"],
  ["/mooring.md"],
  ["/mooring", { headers: { accept: "text/markdown" } }],
  ["/mooring", { method: "HEAD" }],
  ["/mooring?access=link.zzzzzzzzzz.abc.0123456789012345678901234567890123456789012"],
  ["/lantern"],
  ["/nowhere"],
  ["/img/lighthouse.svg"],
  ["/img/lighthouse.svg", { headers: { range: "bytes=0-9" } }],
  ["/llms.txt"],
  ["/llms-full.txt"],
  ["/sitemap.xml"],
  ["/robots.txt"],
  ["/rss.xml"],
  ["/skill.md"],
  ["/.well-known/llms.txt"],
  ["/_docent/search?q=lighthouse"],
  ["/_docent/search?q=lighthouse", { headers: { accept: "application/json" } }],
  ["/_docent/search?q=lighthouse&results=1", { method: "POST" }],
  ["/_docent/view?path=/mooring&id=1", { method: "POST" }],
  ["/_docent/feedback?path=/mooring", { method: "POST", body: "{}" }],
  [
    "/mcp",
    { method: "POST", body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', headers: { accept: "application/json" } },
  ],
  ["/mooring", { method: "DELETE" }],
  ["/mooring", { method: "OPTIONS" }],
];

const HOSTS = {
  slug: { host: "harbor.localhost:4000", base: "", label: "harbor" },
  domain: { host: "docs.acme.test", base: "", label: "docs.acme.test" },
  base: { host: "harbor.localhost:4000", base: "/docs", label: "harbor" },
};

type Presented = () => Promise<Record<string, string>> | Record<string, string>;
const cookie = (token: string) => ({ cookie: `docent_reader=${token}` });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const ATTACKS: Record<string, Presented> = {
  nothing: () => ({}),
  "a made-up cookie": () => cookie(`reader.zzzzzzz..${"A".repeat(43)}`),
  "a made-up key": () => bearer("docent_nobody"),
  "another project's key": () => bearer(site.keys.others),
  "another project's cookie": () =>
    cookie(
      site.tokens.make({ id: newProjectId(), version: tokenSite().version }, { kind: "reader", lifetimeMs: HOUR }),
    ),
  "a cookie that is over": () => cookie(site.tokens.make(tokenSite(), { kind: "reader", lifetimeMs: -1_000 })),
  "a longer life written into a cookie": () =>
    cookie(site.tokens.make(tokenSite(), { kind: "reader", lifetimeMs: -1_000 }).replace(/\.[0-9a-z]+\./, ".zzzzzzz.")),
  "a reader's cookie as a program's token": () =>
    bearer(site.tokens.make(tokenSite(), { kind: "reader", lifetimeMs: HOUR })),
  "a reader's cookie that calls itself a link's": () =>
    bearer(site.tokens.make(tokenSite(), { kind: "reader", lifetimeMs: HOUR }).replace(/^reader/, "link")),
  "the cookie of a member whose key was revoked": () => {
    site.keys.alive = false;
    return cookie(site.tokens.make(tokenSite(), { kind: "member", lifetimeMs: HOUR, subject: "key_1" }));
  },
  "cookie and link of before a change": async () => {
    const before = tokenSite();
    await setAccess(site.project.access!.mode);
    const token = site.tokens.make(before, { kind: "link", lifetimeMs: HOUR });
    return { ...cookie(token), ...bearer(token) };
  },
  "a cached copy's tag": () => ({ "if-none-match": "*" }),
};

describe.each(["password", "dashboard", "links"] as const)("a site with access by %s", (mode) => {
  // Once: a password takes a tenth of a second each time.
  beforeAll(() => setAccess(mode));

  it.each(Object.keys(ATTACKS))("reveals nothing to %s", async (attack) => {
    site.keys.alive = true;
    for (const [form, { host, base, label }] of Object.entries(HOSTS)) {
      site.project.address = { origin: base === "" ? null : "https://example.test", base, mainLabel: null };
      const presented = await ATTACKS[attack]!();
      for (const [path, init = {}] of SURFACES) {
        const headers = { ...(init.headers as Record<string, string>), ...presented };
        const answer = await site.request(base + path, { ...init, headers, host, slug: label });
        const text = await answer.text();
        const about = `${form} ${init.method ?? "GET"} ${path}`;
        expect([about, answer.status]).toEqual([about, mode === "dashboard" && answer.status === 303 ? 303 : 401]);
        // The requested path may be echoed, as a place to return to.
        const revealed = (text + JSON.stringify([...answer.headers])).replaceAll(
          /(?:name="to" value="[^"]*"|path=[^"]*)/g,
          "",
        );
        expect([about, revealed.match(WORDS)?.[0] ?? null]).toEqual([about, null]);
        expect([about, answer.headers.get("cache-control")]).toEqual([about, "no-store"]);
        expect(answer.headers.get("etag")).toBeNull();
      }
    }
    expect(site.confirmed).toEqual([]);
  });

  it("opens to no key and no sign-in that is not valid from the client's address", async () => {
    site.project.address = { origin: null, base: "", mainLabel: null };
    const visit = async (headers: Record<string, string>) => site.request("/mooring", { headers });
    const member = cookie(site.tokens.make(tokenSite(), { kind: "member", lifetimeMs: HOUR, subject: "key_1" }));
    expect([(await visit(bearer(site.keys.own))).status, (await visit(member)).status]).toEqual([200, 200]);
    site.keys.isElsewhere = true;
    try {
      await expect(visit(bearer(site.keys.own))).rejects.toMatchObject({ code: "forbidden" });
      expect((await visit(member)).status).not.toBe(200);
    } finally {
      site.keys.isElsewhere = false;
    }
  });

  it("responds to every path alike", async () => {
    site.project.address = { origin: null, base: "", mainLabel: null };
    const answers = ["/mooring", "/nowhere", "/lantern"].map(async (path) => {
      const answer = await site.request(path);
      return `${answer.status} ${await answer.text()} ${answer.headers.get("location")}`
        .replaceAll(path, "")
        .replaceAll(encodeURIComponent(path), "")
        .replaceAll(encodeURIComponent(encodeURIComponent(path)), "");
    });
    expect(new Set(await Promise.all(answers)).size).toBe(1);
  });

  it.each<[string, Presented]>([
    [
      "a link's token in a program's header",
      () => bearer(site.tokens.make(tokenSite(), { kind: "link", lifetimeMs: HOUR })),
    ],
    ["a key of the project", () => bearer(site.keys.own)],
    [
      "a member's cookie",
      () => cookie(site.tokens.make(tokenSite(), { kind: "member", lifetimeMs: HOUR, subject: "key_1" })),
    ],
  ])("opens to %s, and forbids caching and indexing", async (_, presented) => {
    site.keys.alive = true;
    for (const { host, base, label } of Object.values(HOSTS)) {
      site.project.address = { origin: base === "" ? null : "https://example.test", base, mainLabel: null };
      for (const path of ["/mooring", "/mooring.md", "/img/lighthouse.svg", "/llms.txt"]) {
        const headers = await presented();
        const answer = await site.request(base + path, { headers, host, slug: label });
        expect(await answer.text()).toMatch(WORDS);
        expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
        expect(answer.headers.get("x-robots-tag")).toBe("noindex, nofollow");
        const tag = answer.headers.get("etag") ?? "";
        const again = await site.request(base + path, {
          headers: { ...headers, "if-none-match": tag },
          host,
          slug: label,
        });
        expect(again.status).toBe(304);
        const stranger = await site.request(base + path, { headers: { "if-none-match": tag }, host, slug: label });
        expect(stranger.status).not.toBe(304);
      }
    }
  });

  it("exchanges a link for a cookie on the clean address, until links are revoked", async () => {
    site.project.address = { origin: "https://example.test", base: "/docs", mainLabel: null };
    const token = site.tokens.make(tokenSite(), { kind: "link", lifetimeMs: HOUR });
    const first = await site.request(`/docs/mooring?a=1&access=${token}`);
    expect([first.status, first.headers.get("location")]).toEqual([303, "/docs/mooring?a=1"]);
    const set = first.headers.get("set-cookie") ?? "";
    expect(set).toMatch(/^docent_reader=\S+; Path=\/docs; HttpOnly; SameSite=Lax; Expires=/);
    const headers = { cookie: set.split(";")[0]! };
    expect((await site.request("/docs/mooring", { headers })).status).toBe(200);
    await endSiteVisits({ database: store.database, clock: { now: () => now } }, site.project.id);
    site.project.access = await readSiteAccess(store.database.kysely, site.project.id);
    expect((await site.request("/docs/mooring", { headers })).status).not.toBe(200);
  });
});

it("redirects a link whose path begins with two slashes to a path of its own", async () => {
  await setAccess("links");
  site.project.address = { origin: null, base: "", mainLabel: null };
  const token = site.tokens.make(tokenSite(), { kind: "link", lifetimeMs: HOUR });
  const answer = await site.request(`//evil.example/mooring?access=${token}`);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/evil.example/mooring"]);
});

it("redirects a link to the main domain with its token", async () => {
  await setAccess("links");
  site.project.address = { origin: "https://docs.acme.test", base: "", mainLabel: "docs.acme.test" };
  const token = site.tokens.make(tokenSite(), { kind: "link", lifetimeMs: HOUR });
  const answer = await site.request(`/mooring?a=1&access=${token}`);
  expect([answer.status, answer.headers.get("location")]).toEqual([
    308,
    `https://docs.acme.test/mooring?a=1&access=${token}`,
  ]);
});

describe("a password", () => {
  const signIn = (password: string, to = "/mooring") =>
    site.request("/_docent/sign-in", {
      method: "POST",
      body: String(new URLSearchParams({ password, to })),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });

  it("opens the site until the reader signs out, and allows a few attempts a minute", async () => {
    await setAccess("password");
    site.project.address = { origin: null, base: "", mainLabel: null };
    const form = await site.request("/mooring?q=1");
    expect([form.status, await form.text()]).toEqual([401, expect.stringContaining('name="to" value="/mooring?q=1"')]);
    expect((await signIn("wrong")).status).toBe(401);
    expect((await signIn("")).status).toBe(401);
    const right = await signIn(PASSWORD);
    expect([right.status, right.headers.get("location")]).toEqual([303, "/mooring"]);
    const headers = { cookie: right.headers.get("set-cookie")!.split(";")[0]! };
    expect(await (await site.request("/mooring", { headers })).text()).toContain('href="/_docent/sign-out"');
    for (const to of ["//evil.example", "/\\evil.example", "https://evil.example"])
      expect((await signIn(PASSWORD, to)).headers.get("location")).toBe("/");
    const out = await site.request("/_docent/sign-out", { method: "POST", headers });
    expect(out.headers.get("set-cookie")).toMatch(/^docent_reader=; Max-Age=0; Path=\//);
    for (let tries = 0; tries < 10; tries++) await signIn("wrong");
    expect([(await signIn(PASSWORD)).status, (await site.request("/mooring", { headers })).status]).toEqual([429, 200]);
  });

  it("must have eight characters or more", async () => {
    await expect(setAccess("password", "short")).rejects.toThrow("8 to 200 characters");
    await expect(setAccess("password", null)).rejects.toThrow("8 to 200 characters");
  });
});

it("its sign-in address redirects everyone to the first page", async () => {
  await setAccess("password");
  const reader = site.tokens.make(tokenSite(), { kind: "reader", lifetimeMs: HOUR });
  for (const shown of [{}, cookie(reader)]) {
    const headers = { accept: "text/html", ...shown };
    const answer = await site.request("/_docent/sign-in", { headers });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
  }
});

it("a signed-in person's token opens the site once, and leaves the address bar also when it opens nothing", async () => {
  await setAccess("dashboard");
  site.project.address = { origin: null, base: "", mainLabel: null };
  const token = makeEntry(site.tokens, tokenSite(), { holderId: "key_1", session: "0f" });
  const visit = (path: string, init: RequestInit = {}) => site.request(path, init);
  const looked = await visit(`/mooring?access=${token}`, { method: "HEAD", headers: { accept: "text/html" } });
  expect(looked.headers.get("set-cookie")).toBeNull();
  const first = await visit(`/mooring?a=1&access=${token}`);
  expect([first.status, first.headers.get("location")]).toEqual([303, "/mooring?a=1"]);
  const headers = { cookie: first.headers.get("set-cookie")!.split(";")[0]! };
  expect((await visit("/mooring", { headers })).status).toBe(200);
  const again = await visit(`/mooring?a=1&access=${token}`, { headers });
  expect([again.status, again.headers.get("location")]).toEqual([303, "/mooring?a=1"]);
  const other = await visit(`/mooring?a=1&access=${token}`);
  expect(other.headers.get("location")).toMatch(/^http:\/\/localhost:4000\/open-site\?path=%2Fmooring%3Fa%3D1$/);
  expect([again, other].map((answer) => answer.headers.get("set-cookie"))).toEqual([null, null]);
  await setAccess("public");
  const open = await visit(`/mooring?access=${token}`);
  expect([open.status, open.headers.get("location")]).toEqual([303, "/mooring"]);
  expect((await visit("/mooring?access=mine")).status).toBe(200);
});
