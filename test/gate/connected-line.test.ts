import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { runDocent } from "#test/support/commands.ts";
import { callHost, deliverHook, HOST_SHAPES } from "#test/support/host-shapes.ts";
import { serveLogged } from "#test/support/server.ts";
import { createSiteClient } from "#test/support/site-client.ts";

interface JobAnswer {
  id: string;
  status: string;
  prLink: string;
  pullRequest: { number: number; state: string };
}

const FILES = { "index.md": "# Welcome\n\nHarbor Cloud is here.\n" };
const ENVIRONMENT = { DOCENT_CODE_HOST_ALLOW: "127.0.0.1/32" };
const TRIED = LONG_TESTS ? HOST_SHAPES : HOST_SHAPES.filter(({ kind }) => kind === "gitlab");

describe.each(TRIED)("from an empty directory, by the commands of the documentation, on $kind", (shape) => {
  it("a site, a job, its pull request, a comment, a follow-up, an answer, a merge, and the page live", async () => {
    await using stack = new AsyncDisposableStack();
    const host = stack.use(await shape.start(FILES));
    const { talk } = host.state;
    const { embedded, repository, repoStore } = host.parts;
    const directory = stack.use(await createTestDirectory()).path;
    const data = path.join(directory, "data");
    const tokenFile = path.join(directory, "token.txt");
    await writeFile(tokenFile, `${HOST_TOKEN}\n`);
    const docent = async (...args: string[]) => {
      const { exitCode, stdout, stderr } = await runDocent([...args, "--data", data], { environment: ENVIRONMENT });
      expect([args[0], exitCode, stderr]).toEqual([args[0], 0, expect.not.stringMatching(/error/i)]);
      return stdout;
    };
    const server = stack.use(await serveLogged(data, ENVIRONMENT));

    await docent("projects", "create", "My docs", "--repo", host.url, "--token-file", tokenFile, "--host", shape.kind);
    using site = createSiteClient({ instance: { project: { slug: "my-docs" } }, port: server.port });
    const page = async () => (await site.send("/")).text;
    expect(await page()).toContain("Harbor Cloud is here.");

    const asked = 'Replace "Harbor Cloud" with "Harbor Platform".';
    const job = JSON.parse(await docent("jobs", "create", "my-docs", asked, "--wait", "--json")) as JobAnswer;
    expect(job).toMatchObject({ status: "completed", pullRequest: { number: 1, state: "open" } });
    const shown = await callHost(host, { path: shape.pullRequest(1) });
    expect(shown.status).toBe(200);
    expect(Object.values(shown.body)).toContain(job.prLink);

    // Docent made its webhook there.
    await expect.poll(() => host.state.notices.webhooks).toHaveLength(1);
    talk.say(talk.person("jane", "write"), 1, 'Thanks!\n\n@docent replace "is here" with "is great".');
    expect(await deliverHook(host, shape, { action: "created" })).toEqual([202]);
    const answers = () => talk.comments.filter(({ author }) => author === talk.self).map(({ body }) => body);
    await expect.poll(answers).toEqual([expect.stringMatching(/Done in [0-9a-f]{12}\./)]);
    const [pullRequest, ...others] = await embedded.listPullRequests(repository, {
      state: "all",
      limit: 10,
      before: null,
    });
    expect([pullRequest, others]).toMatchObject([{ number: 1, state: "open" }, []]);
    const head = pullRequest!.head.commit;
    const base = await repoStore.resolve(repository.projectId, "refs/heads/main");
    const turns = (await repoStore.log(repository.projectId, { base, head, limit: 10 })).map(
      ({ trailers }) => trailers["Docent-Turn"],
    );
    expect(turns).toEqual(["2", "1"]);
    expect(await page()).toContain("Harbor Cloud is here.");

    const { method, path: below, body } = shape.merge(head);
    const merged = await callHost(host, { method, path: shape.pullRequest(1) + below, body });
    expect(merged.status).toBe(200);
    expect(await deliverHook(host, shape, { action: "closed" })).toEqual([202]);
    await expect.poll(page).toContain("Harbor Platform is great.");
    // This command shows what is written down, and asks no host.
    const noted = async () => (JSON.parse(await docent("jobs", "show", job.id, "--json")) as JobAnswer).pullRequest;
    await expect.poll(noted, { interval: 500 }).toMatchObject({ number: 1, state: "merged" });
    expect(server.log()).not.toContain(HOST_TOKEN);
  });
});
