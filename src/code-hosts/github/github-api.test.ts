import { describe } from "vitest";
import { testCodeHost } from "#code-hosts/code-host.contract.ts";
import { openConnectedHost } from "#testing/hosts/connected-host.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { githubApi } from "./github-api.ts";

const files = { "index.md": "one\n", "guide.md": "guide\n" };

describe("a repository on GitHub", () => {
  testCodeHost(() => openConnectedHost({ kind: "github", api: githubApi, server: startGithubServer(files) }));
});
