import { expect, it } from "vitest";
import { listen } from "#testing/listen.ts";
import { githubApi } from "#hosts/github/github-api.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { findHostKind } from "./find-host.ts";

// The paths that each host responds to: Forgejo also responds to Gitea's.
it.each([
  ["forgejo", ["/api/forgejo/v1/version", "/api/v1/version"]],
  ["gitea", ["/api/v1/version"]],
  ["gitlab", ["/api/v4/version"]],
  ["github", ["/api/v3/meta"]],
])("recognizes a server of %s by the paths that it responds to", async (kind, answered) => {
  await using server = await listen(({ url = "" }, response) => {
    response.writeHead(answered.includes(url) ? 200 : 404, { "Content-Type": "application/json" }).end("{}");
  });
  const outboundHttp = createOutboundHttp({ allow: ["127.0.0.1/32"] });
  expect(await findHostKind({ outboundHttp }, `${server.url}/acme/docs`)).toBe(kind);
});

it("a repository at ghe.com is GitHub's, and its APIs are at api.SUBDOMAIN.ghe.com", async () => {
  const outboundHttp = createOutboundHttp({ allow: [] });
  expect(await findHostKind({ outboundHttp }, "https://acme.ghe.com/acme/docs")).toBe("github");
  expect(githubApi.apiUrl("https://acme.ghe.com")).toBe("https://api.acme.ghe.com");
  expect(new URL(`${githubApi.apiUrl("https://acme.ghe.com")}/../graphql`).href).toBe(
    "https://api.acme.ghe.com/graphql",
  );
  expect(githubApi.apiUrl("https://github.com")).toBe("https://api.github.com");
  for (const origin of ["https://ghe.com.example", "https://acme.ghe.com.example", "http://acme.ghe.com"]) {
    expect(githubApi.apiUrl(origin)).toBe(`${origin}/api/v3`);
  }
});
