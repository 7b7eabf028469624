import { expect, it } from "vitest";
import type { CodeHost, HostedRepository } from "#hosts/code-host.ts";
import { newJobId } from "#lib/ids.ts";
import { createTestApp } from "#testing/test-app.ts";
import { freeBranchName, isAgentBranch, unpublishedBranch, withoutFolder } from "./branch-name.ts";

it("recognizes the agent's branches by every name that it gives them, and no branch of a person", async () => {
  await using app = await createTestApp("sqlite");
  const nameOf = (repository: HostedRepository, host: CodeHost, prompt: string, taken: string | null) =>
    freeBranchName(host, repository, { jobId: newJobId(new Date()), prompt, taken });
  for (const prompt of [
    "Fix the links.",
    "…",
    "Ein sehr langer Satz mit vielen Wörtern, die nicht alle hineinpassen",
  ]) {
    const first = await nameOf(app.repository, app.codeHost, prompt, null);
    for (const name of [first, `${first}-2`, unpublishedBranch(first, 3), `${unpublishedBranch(`${first}-2`, 3)}-4`]) {
      expect([name, withoutFolder(name)].map(isAgentBranch)).toEqual([true, true]);
    }
  }
  const others = [
    "main",
    "docent",
    "docent-",
    "docent-fix",
    "docent-12345678",
    "docent-site-overview",
    "my-docent/fix",
  ];
  expect(others.filter(isAgentBranch)).toEqual([]);
});
