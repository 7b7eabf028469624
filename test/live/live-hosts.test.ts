import { describe } from "vitest";
import { testCodeHost } from "#hosts/code-host.contract.ts";
import { forgejoApi, giteaApi } from "#hosts/gitea/gitea-api.ts";
import { githubApi } from "#hosts/github/github-api.ts";
import { gitlabApi } from "#hosts/gitlab/gitlab-api.ts";
import type { HostApi } from "#hosts/remote/host-api.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { openLiveHost } from "#testing/hosts/live-host.ts";

// The contract of code hosts over the real ones, for whoever has an account there: README.md beside this says how.
const variable = (api: HostApi, name: string) => `DOCENT_LIVE_${api.kind.toUpperCase()}_${name}`;
const allow = process.env["DOCENT_LIVE_ALLOW"]?.split(",") ?? [];

for (const api of [githubApi, gitlabApi, giteaApi, forgejoApi]) {
  const [urlName, tokenName] = [variable(api, "REPOSITORY"), variable(api, "TOKEN")];
  const [url = "", token = ""] = [process.env[urlName], process.env[tokenName]];
  const isAsked = url !== "" && token !== "";
  const why = isAsked ? "" : `, which is not asked: ${urlName} and ${tokenName} are not set`;
  describe.skipIf(!isAsked)(`${api.name} itself${why}`, () => {
    testCodeHost(() => openLiveHost({ api, url, token: new Secret(token), allow }));
  });
}
