import { expect, it } from "vitest";
import type { PullRequest } from "#hosts/code-host.ts";
import { githubApi } from "#hosts/github/github-api.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { openConnectedHost } from "#testing/hosts/connected-host.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { createHostCalls } from "./host-call.ts";
import { createReportPosts } from "./report-posts.ts";

it("a waiting report is not replaced by another project's for a pull request of the same number", async () => {
  const server = startGithubServer({ "index.md": "one\n" });
  await using connected = await openConnectedHost({ kind: "github", api: githubApi, server });
  const { database, vault, hostApps, repository } = connected;
  const outboundHttp = createOutboundHttp({ allow: ["127.0.0.1/32"] });
  const calls = createHostCalls({ outboundHttp, clock: systemClock, version: "0.0.0", sleep: async () => undefined });
  const reaching = { database, vault, hostApps, calls, apis: { github: githubApi } };
  const reports = createReportPosts({ ...reaching, clock: systemClock, logger: silentLogger });
  const acme = repository.projectId;
  const other = await connected.connectAnother("other");
  const held = Promise.withResolvers<void>();
  await using _ = reports.start(async (projectId, { number }) => {
    if (number === 2) await held.promise;
    return { summary: "1 page", added: [], href: `http://docent.localhost/${projectId}/${number}` };
  });
  const pullRequest = (number: number): PullRequest => ({
    number,
    url: `${connected.server.url}/pull/${number}`,
    state: "open",
    draft: false,
    title: "Change it",
    body: "",
    head: { branch: "feature", commit: String(number).repeat(40) },
    base: { branch: "main" },
    mergedCommit: null,
    createdAt: new Date(),
    updatedAt: new Date(),
  });
  const posting = { how: "status" as const, link: () => "http://docent.localhost/preview" };
  reports.want(acme, { posting, pullRequests: [pullRequest(2), pullRequest(1)] });
  reports.want(other, { posting, pullRequests: [pullRequest(1)] });
  held.resolve();
  await reports.settled();
  const shown = connected.server.state.notices.statuses.map(({ url }) => new URL(url).pathname);
  expect(shown.toSorted()).toEqual([`/${acme}/1`, `/${acme}/2`, `/${other}/1`].toSorted());
});
