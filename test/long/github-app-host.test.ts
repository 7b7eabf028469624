import { describe } from "vitest";
import { testCodeHost } from "#hosts/code-host.contract.ts";
import { openConnectedHost } from "#testing/hosts/connected-host.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { installGithubApp } from "#testing/hosts/installed-app.ts";
import { githubApi } from "#hosts/github/github-api.ts";

describe("a repository on GitHub, by an app's installation", () => {
  testCodeHost(() =>
    openConnectedHost({
      kind: "github",
      api: githubApi,
      server: startGithubServer({ "index.md": "one\n", "guide.md": "guide\n" }),
      installOn: installGithubApp,
      isFetched: true,
    }),
  );
});
