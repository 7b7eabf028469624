import { expect, test } from "vitest";
import type { GivenFeedback } from "#features/visitors/feedback/feedback-book.ts";
import { createTestSite } from "#testing/site.ts";
import { userAgents } from "#testing/views.ts";

const PAGES = {
  "docs.json": JSON.stringify({ name: "Harbor", navigation: ["index", "guide"] }),
  "index.md": "# Welcome\n",
  "guide.md": "---\ntitle: Guide\n---\n\nText.\n",
  "plain.mdx": "---\ntitle: Plain\nmode: custom\n---\n\nText.\n",
};
const AT = "/_docent/feedback";
const OWN = { "user-agent": userAgents.chrome, origin: "http://harbor.localhost:4000" };
const JSON_TYPE = { "content-type": "application/json" };
const FORM = { ...OWN, "content-type": "application/x-www-form-urlencoded" };

/** A site that records the feedback that it would store; `answer` is the result. */
async function openSite(files: Record<string, string> = PAGES) {
  const kept: GivenFeedback[] = [];
  const rule = { admits: true, keeps: true };
  const site = await createTestSite(files, {
    feedback: {
      admits: () => rule.admits,
      keep: (given) => {
        kept.push(given);
        return rule.keeps;
      },
    },
  });
  const send = async (headers: Record<string, string>, body: string | object) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const response = await site.request(AT, { method: "POST", headers, body: text });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { site, kept, rule, send, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
}

test("a reader votes with a form and is then asked for a comment, all without a script", async () => {
  await using opened = await openSite();
  const { site, kept, send } = opened;
  const page = await (await site.request("/guide")).text();
  expect(page).toMatch(/<form\s[^>]*method="post" action="\/_docent\/feedback"[^]*name="path" value="\/guide"/);
  expect(page).toContain("/_docent/feedback-");
  const voted = await send(FORM, "path=%2Fguide&helpful=no");
  expect(voted.status).toBe(200);
  expect(voted.headers.get("content-security-policy")).toContain("form-action 'self'");
  expect(voted.text).toMatch(/Your answer was sent[^]*name="helpful" value="no"[^]*<textarea[^]*href="\/guide"/);
  const reply = await send(FORM, "path=%2Fguide&helpful=no&comment=%3Cb%3Eno%3C%2Fb%3E%0D%0Ahere");
  expect(reply.text).toContain("Your words were sent");
  expect(reply.text).not.toContain("<textarea");
  expect(kept).toMatchObject([
    { page: "/guide", author: "reader", helpful: false, comment: null, isPrivate: false },
    { page: "/guide", author: "reader", helpful: false, comment: "<b>no</b>\nhere" },
  ]);
  expect(kept[0]!.projectId).toBe(site.project.id);
  opened.rule.keeps = false;
  expect((await send({ ...FORM, "sec-gpc": "1" }, "path=/guide&helpful=yes")).text).toContain("Nothing was kept");
  expect(kept.at(-1)).toMatchObject({ isPrivate: true });
});

test("programs count as agents, and robots, other sites, floods and invalid feedback are refused", async () => {
  await using opened = await openSite();
  const { kept, send, site } = opened;
  const words = { path: "/guide", comment: "Wrong" };
  const asReader = { ...OWN, ...JSON_TYPE };
  const authorOf = async (headers: Record<string, string>, more: object = {}) => {
    expect(await send({ ...JSON_TYPE, ...headers }, { ...words, ...more })).toMatchObject({
      status: 200,
      text: '{"kept":true}\n',
    });
    return kept.at(-1)!.author;
  };
  expect(await authorOf(OWN)).toBe("reader");
  expect(await authorOf({ "user-agent": userAgents.chrome })).toBe("agent");
  expect(await authorOf(OWN, { automated: true })).toBe("agent");
  expect(await authorOf({ "user-agent": userAgents.claudeCode })).toBe("agent");
  site.project.address = { origin: "https://harbor.example", base: "/docs", mainLabel: null };
  await authorOf({ "user-agent": userAgents.claudeCode }, { path: "/docs/guide" }); // as its address has it
  expect(kept.at(-1)).toMatchObject({ page: "/guide" });
  delete site.project.address;
  const before = kept.length;
  for (const [status, headers, body] of [
    [403, { ...JSON_TYPE, "user-agent": userAgents.googlebot }, words],
    [403, { ...asReader, origin: "https://evil.example" }, words],
    [403, { ...FORM, "sec-fetch-site": "cross-site" }, "path=/guide&helpful=yes"],
    [400, asReader, { path: "/gone", helpful: true }],
    [400, asReader, { path: "/guide" }],
    [400, asReader, { path: "/guide", comment: " \n\t " }],
    [400, FORM, "path=/guide&comment=+"],
    [400, asReader, { path: "/guide", helpful: "yes" }],
    [400, asReader, { path: "/guide", comment: "x".repeat(1_001) }],
    [400, asReader, "[1"],
    [400, FORM, "helpful=yes"],
    [413, asReader, { path: "/guide", comment: "x".repeat(17_000) }],
    [415, { ...OWN, "content-type": "text/plain" }, words],
  ] as const) {
    expect([status, (await send(headers, body)).status, body]).toEqual([status, status, body]);
  }
  opened.rule.admits = false;
  const flood = await send(asReader, words);
  expect([flood.status, flood.headers.get("retry-after")]).toEqual([429, "60"]);
  expect((await send(FORM, "path=/guide&helpful=yes")).text).toContain("<h1>This was not sent</h1>");
  expect(kept.length).toBe(before);
  expect((await site.request(AT)).status).toBe(405);
});

test.each([
  ["docs.json", { feedback: { thumbsRating: false } }, false],
  ["docs.json", { integrations: { telemetry: { enabled: false } } }, false],
  ["docs.json", { feedback: { thumbsRating: true }, integrations: { telemetry: { enabled: false } } }, true],
  ["mint.json", { feedback: { thumbsRating: false } }, false],
  ["mint.json", { feedback: { suggestEdit: true } }, true],
])("asks for feedback with %s %o: %s", async (file, config, isAsked) => {
  const { "docs.json": _, ...pages } = PAGES;
  const named = { name: "Harbor", navigation: [{ group: "All", pages: ["index", "guide"] }], ...config };
  await using opened = await openSite({ ...pages, [file]: JSON.stringify(named) });
  const { site, send } = opened;
  for (const [path, isThere] of [
    ["/guide", isAsked],
    ["/plain", false],
    ["/gone", false],
  ] as const) {
    expect([path, (await (await site.request(path)).text()).includes("data-feedback")]).toEqual([path, isThere]);
  }
  expect((await (await site.request("/llms.txt")).text()).includes(AT)).toBe(isAsked);
  expect((await send({ ...OWN, ...JSON_TYPE }, { path: "/guide", helpful: true })).status).toBe(isAsked ? 200 : 404);
});

test("a site does not ask where its project accepts no feedback", async () => {
  await using opened = await openSite();
  const { site, send, kept } = opened;
  site.project.takesFeedback = false;
  expect(await (await site.request("/guide")).text()).not.toContain("data-feedback");
  const sent = await send({ ...OWN, ...JSON_TYPE }, { path: "/guide", helpful: true });
  expect([sent.status, kept]).toEqual([404, []]);
});

test("a key in a reader's comment is not stored", async () => {
  await using opened = await openSite();
  const key = `AKIA${"Q3WZ7RTYUP2MNBVC"}`; // split, so that no file contains text in the shape of a credential
  await opened.send({ ...OWN, ...JSON_TYPE }, { path: "/guide", comment: `It fails with ${key}.` });
  expect(opened.kept).toMatchObject([{ comment: "It fails with [redacted]." }]);
});
