import path from "node:path";
import { describe, it } from "vitest";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { commitFiles, createTestDirectory, git } from "#testing/repositories.ts";
import { filesWith } from "#test/support/canaries.ts";
import { createConnectedProject } from "#test/support/connected-project.ts";
import { HOST_SHAPES } from "#test/support/host-shapes.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { serveLogged } from "#test/support/server.ts";
import { createSiteClient } from "#test/support/site-client.ts";

const FILES = {
  "docs.json": JSON.stringify({ name: "Acme", navigation: { pages: ["index"] } }),
  "index.md": "# Welcome\n\nHarbor Cloud is here.\n",
};
const ALLOW = { DOCENT_CODE_HOST_ALLOW: "127.0.0.1/32" };

// Gitea and Forgejo differ in a header, which `gitea-host.test.ts` has; GitLab in requests, which it has as well.
const TRIED = LONG_TESTS ? HOST_SHAPES : HOST_SHAPES.filter(({ kind }) => kind === "github");

describe.concurrent.each(TRIED)("a repository that stays on $kind", ({ kind, start, sign }) => {
  it("is synced, gets the agent's pull request, and shows what was merged on the host", async ({ expect }) => {
    await using stack = new AsyncDisposableStack();
    const host = stack.use(await start(FILES));
    const directory = stack.use(await createTestDirectory()).path;
    const connecting = { kind, directory, environment: ALLOW };
    const { data, project, caller, docent } = await createConnectedProject(host, connecting);
    expect(project).toMatchObject({ codeHost: kind, repositoryUrl: host.url, branch: "main" });
    const webhook = await docent("projects", "webhook", "acme");
    const server = stack.use(await serveLogged(data, ALLOW));
    const { baseUrl, port } = server;
    const instance = { project: { ...caller.project, slug: "acme" }, key: caller.key };
    using site = createSiteClient({ instance, port });
    const page = async () => (await site.send("/")).text;
    expect(await page()).toContain("Harbor Cloud is here.");

    // A person pushes there.
    const work = path.join(directory, "work");
    const address = host.url.replace("://", `://any:${HOST_TOKEN}@`);
    await git(directory, "clone", "--quiet", `${address}.git`, work);
    await commitFiles(work, { "index.md": "# Welcome\n\nHarbor Cloud is great.\n" }, "Praise");
    await git(work, "push", "--quiet", "origin", "main");
    const pushed = (branch: string) => JSON.stringify({ ref: `refs/heads/${branch}` });
    const body = pushed("main");
    const tell = async (headers: Record<string, string>, body = pushed("main")) => {
      const url = `${baseUrl}/git/${project["id"]}/webhook`;
      const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
      return (await fetch(url, init)).status;
    };
    expect(await tell(sign(body, "wrong"))).toBe(401);
    expect(await tell({})).toBe(401);
    expect(await tell(sign(body, webhook["secret"]!))).toBe(202);
    await expect.poll(page).toContain("Harbor Cloud is great.");

    const prompt = 'Replace the term "Harbor Cloud" with "Harbor Platform".';
    const created = await callApi(baseUrl, instance, { path: "/job", body: { prompt } });
    const job = await waitForJob(baseUrl, instance, created.body.id);
    expect(job).toMatchObject({ status: "completed" });
    const [pullRequest] = await host.parts.embedded.listPullRequests(host.parts.repository, {
      state: "open",
      limit: 10,
      before: null,
    });
    expect(pullRequest).toMatchObject({ number: 1, base: { branch: "main" } });
    expect(job.prLink).toMatch(new RegExp(`^${host.url}/.*1$`));
    expect((await docent("jobs", "show", created.body.id))["source"]).toEqual(job.source);

    // A stranger's guesses cost the host no request.
    const asked = host.state.requests.length;
    for (const number of [1, 2, 3, 4]) {
      using guess = createSiteClient({ instance: { project: { slug: `pr-${number}--acme` } }, port });
      expect((await guess.send("/?preview=guessed")).status).toBe(401);
    }
    expect(host.state.requests.slice(asked).filter((request) => /(?:pulls|merge_requests)\/\d/.test(request))).toEqual(
      [],
    );

    // Its preview opens by its link, and shows what a person adds to the branch.
    const preview = new URL(job.previewLink!);
    using previewSite = createSiteClient({ instance: { project: { slug: preview.hostname.split(".")[0]! } }, port });
    const shown = async () => (await previewSite.send(preview.pathname + preview.search)).text;
    expect(await shown()).toContain("Harbor Platform is great.");
    const { branch } = pullRequest!.head;
    await git(work, "fetch", "--quiet", "origin", branch);
    await git(work, "checkout", "--quiet", branch);
    await commitFiles(work, { "index.md": "# Welcome\n\nHarbor Platform is the greatest.\n" }, "Praise more");
    await git(work, "push", "--quiet", "origin", branch);
    const more = pushed(branch);
    expect(await tell(sign(more, webhook["secret"]!), more)).toBe(202);
    await expect.poll(shown, { interval: 500 }).toContain("Harbor Platform is the greatest.");

    await host.parts.embedded.mergePullRequest(host.parts.repository, 1, { expectedHead: null });
    expect(await tell(sign(body, webhook["secret"]!))).toBe(202);
    await expect.poll(page).toContain("Harbor Platform is the greatest.");
    const settings = await docent("projects", "show", "acme");
    expect(settings["connection"]).toMatchObject({ kind, url: host.url, trouble: null });

    const cookie = await signIn(baseUrl, caller.key);
    const dashboard = async (where: string) =>
      fetch(`${baseUrl}/acme${where}`, { headers: { cookie, accept: "text/html" } });
    const overview = await (await dashboard("")).text();
    expect(overview).toContain(`<a href="${host.url}">`);
    expect(overview).not.toContain("/acme/pull");
    expect(await (await dashboard(`/jobs/${created.body.id}`)).text()).toContain(job.prLink!);
    const review = await (await dashboard(`/jobs/${created.body.id}/review`)).text();
    expect(review).toContain(`href="${job.prLink}"`);
    expect(review).toMatch(/<ins>Platform<\/ins>/);
    expect(review.match(/<iframe src="\/acme\/rendered\/[0-9a-f]{40}\?file=index\.md[^"]*"/g)).toHaveLength(2);
    // No redirect, which a browser does not follow to another host when it signed in just before.
    const led = await dashboard("/pull/1");
    expect([led.status, led.headers.get("refresh")]).toEqual([200, `0; url=${job.prLink}`]);
    const diff = await callApi(baseUrl, instance, {
      path: `/job/${created.body.id}/diff`,
      headers: { accept: "application/json" },
    });
    expect([diff.status, JSON.stringify(diff.body)]).toEqual([200, expect.stringContaining("index.md")]);

    // While the host hangs, what is here answers.
    const hang = Promise.withResolvers<Response>();
    host.state.fault = () => hang.promise;
    const hanging = await callApi(baseUrl, instance, {
      path: `/job/${created.body.id}/diff`,
      headers: { accept: "application/json" },
    });
    expect([hanging.status, JSON.stringify(hanging.body)]).toEqual([200, expect.stringContaining("index.md")]);
    const next = { prompt: "Fix the broken links.", ref: "main", title: "While it hangs" };
    const accepted = await callApi(baseUrl, instance, { path: "/job", body: next });
    expect(accepted.status).toBe(201);

    // The token is in memory, and sealed in the store: nowhere else.
    expect(await filesWith(data, HOST_TOKEN)).toEqual([]);
    expect(await filesWith(data, Buffer.from(HOST_TOKEN).toString("base64").slice(0, 24))).toEqual([]);
    // A stop would wait for the host that hangs.
    hang.resolve(new Response("away", { status: 503 }));
    await server[Symbol.asyncDispose]();
    expect(server.log()).not.toContain(HOST_TOKEN);
  });
});

async function signIn(baseUrl: string, key: string): Promise<string> {
  const body = new URLSearchParams({ key, to: "/" });
  const answer = await fetch(`${baseUrl}/sign-in`, {
    method: "POST",
    body,
    redirect: "manual",
    headers: { origin: baseUrl, "sec-fetch-site": "same-origin" },
  });
  return (answer.headers.get("set-cookie") ?? "").split(";", 1)[0]!;
}
