import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { editAddress, issueAddress, type HostedAt } from "#features/sites/site-project.ts";
import { createTestSite } from "#testing/site.ts";

let contentProcess: ContentProcess;
beforeAll(() => {
  contentProcess = sharedContent();
});
afterAll(() => contentProcess[Symbol.asyncDispose]());

describe("the link to edit a page", () => {
  it.each<[HostedAt["kind"], string]>([
    ["github", "https://host.example/a/b/edit/docs/next/guides/a%20%23b.mdx"],
    ["gitlab", "https://host.example/a/b/-/edit/docs/next/guides/a%20%23b.mdx"],
    ["gitea", "https://host.example/a/b/_edit/docs/next/guides/a%20%23b.mdx"],
    ["forgejo", "https://host.example/a/b/_edit/docs/next/guides/a%20%23b.mdx"],
  ])("opens the editor of %s for the file on the branch", (kind, address) => {
    const place = { branch: "docs/next", path: "guides/a #b.mdx" };
    expect(editAddress({ kind, url: "https://host.example/a/b" }, place)).toBe(address);
  });

  const api = { openapi: "3.0.0", info: { title: "A", version: "1" }, paths: { "/a": { get: { responses: {} } } } };
  const files = (settings: object) => ({
    "docs/docs.json": JSON.stringify({
      ...settings,
      navigation: {
        groups: [
          { group: "Pages", pages: ["a"] },
          { group: "API", openapi: "api.json" },
        ],
      },
    }),
    "docs/a.md": "# A\n",
    "docs/api.json": JSON.stringify(api),
  });
  const hostedAt = { kind: "github", url: "https://github.com/acme/docs" } as const;

  it("is shown for files where the site enables it, not for pages that are generated from an API description", async () => {
    await using site = await createTestSite(files({ feedback: { suggestEdit: true } }), {
      contentProcess,
      project: { hostedAt },
    });
    expect(await (await site.request("/a")).text()).toContain(
      'href="https://github.com/acme/docs/edit/main/docs/a.md"',
    );
    const made = await site.request("/api-reference/get-a");
    expect(made.status).toBe(200);
    expect(await made.text()).not.toContain("/edit/main");
  });

  it.each([
    ["nobody asked for it", {}, hostedAt],
    ["the site has no dashboard", { feedback: { suggestEdit: true } }, null],
  ])("is not shown where %s", async (_, settings, place) => {
    await using site = await createTestSite(files(settings), { contentProcess, project: { hostedAt: place } });
    expect(await (await site.request("/a")).text()).not.toContain("Edit this page");
  });
});

it("leads to the editor of the dashboard from a site whose repository is here", async () => {
  const files = { "docs.json": JSON.stringify({ feedback: { suggestEdit: true } }), "a #b.md": "# A\n" };
  const project = { dashboard: "https://docs.example.com" };
  await using site = await createTestSite(files, { contentProcess, project });
  expect(await (await site.request("/a%20%23b")).text()).toMatch(
    /href="https:\/\/docs\.example\.com\/[a-z]+\/pages\/edit\?path=a\+%23b\.md"/,
  );
});

describe("the link to report a problem with a page", () => {
  const asked = {
    "docs.json": JSON.stringify({ feedback: { raiseIssue: true }, navigation: { pages: ["a"] } }),
    "a.md": "---\ntitle: 'Ships & \"<sails>\"'\n---\n\nText\n",
  };
  const hostedAt = { kind: "github", url: "https://github.com/acme/docs" } as const;

  it.each<[HostedAt["kind"], string, string, string]>([
    ["github", "/a/b/issues/new", "title", "body"],
    ["gitlab", "/a/b/-/issues/new", "issue[title]", "issue[description]"],
    ["gitea", "/a/b/issues/new", "title", "body"],
    ["forgejo", "/a/b/issues/new", "title", "body"],
  ])("opens the form of %s with the page's title and address", (kind, place, title, body) => {
    const page = { title: `A & b #c ${"\ud83d"}`, address: "https://docs.example/a?b", path: "docs/a.md" };
    const { pathname, searchParams } = new URL(issueAddress({ kind, url: "https://host.example/a/b" }, page));
    expect(pathname).toBe(place);
    expect(searchParams.get(title)).toBe("A & b #c \ufffd");
    expect(searchParams.get(body)).toBe("https://docs.example/a?b\ndocs/a.md\n\n");
  });

  it("is shown where the site enables it", async () => {
    await using site = await createTestSite(asked, { contentProcess, project: { hostedAt } });
    const page = await (await site.request("/a")).text();
    const [, href = ""] = /href="(https:\/\/github\.com\/acme\/docs\/issues[^"]*)"/.exec(page) ?? [];
    const { searchParams } = new URL(href.replaceAll("&amp;", "&"));
    expect(searchParams.get("title")).toBe('Ships & "<sails>"');
    expect(searchParams.get("body")).toMatch(/^https?:\/\/\S+\/a\na\.md\n/);
    expect(page).toContain("Report a problem");
  });

  it("is not shown when the repository is on the embedded host", async () => {
    await using site = await createTestSite(asked, { contentProcess, project: { hostedAt: null } });
    expect(await (await site.request("/a")).text()).not.toContain("Report a problem");
  });
});

describe("a missing page", () => {
  it("has the navigation of its would-be place, a search for its name, and similar pages by address and title", async () => {
    const files = {
      "docs.json": JSON.stringify({
        navigation: {
          tabs: [
            { tab: "Guides", pages: ["index"] },
            { tab: "Ships", groups: [{ group: "Fleet", pages: ["ships/brig", "ships/sloop"] }] },
          ],
        },
      }),
      "index.md": "# Home\n",
      "ships/brig.md": "---\ntitle: Hoist the Sails\n---\n",
      "ships/sloop.md": "# Sloop\n",
    };
    await using site = await createTestSite(files, { contentProcess, search: { admits: () => true } });
    const response = await site.request("/ships/hoist-the-sails.html");
    const html = await response.text();
    expect(response.status).toBe(404);
    expect(html).toContain(">Fleet<");
    expect(html).toContain('name="q" value="hoist the sails"');
    expect(html).toContain('<li><a href="/ships/brig">Hoist the Sails</a></li>');
    expect(html).not.toContain('aria-current="page"');
  });
});
