import type { RemoteKind } from "#hosts/code-host.ts";
import { AppError } from "#lib/app-error.ts";
import { trimEndOf } from "#lib/trim.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";

const WELL_KNOWN: Readonly<Record<string, RemoteKind>> = {
  "github.com": "github",
  "gitlab.com": "gitlab",
  "gitea.com": "gitea",
  "codeberg.org": "forgejo",
};

// The order matters: Forgejo also responds as Gitea.
const SIGNS: readonly { kind: RemoteKind; path: string; statuses: readonly number[] }[] = [
  { kind: "github", path: "/api/v3/meta", statuses: [200, 401] },
  { kind: "forgejo", path: "/api/forgejo/v1/version", statuses: [200] },
  { kind: "gitea", path: "/api/v1/version", statuses: [200] },
  { kind: "gitlab", path: "/api/v4/version", statuses: [200, 401] },
];
const TIMEOUT_MS = 10_000;

/**
 * The web address of a repository, from what people copy: with `.git`, a trailing slash, or a page below it. `AppError
 * invalid` when it is not an http or https address, or contains credentials.
 */
export function repositoryUrl(text: string): string {
  const url = URL.parse(text.trim());
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new AppError(
      "invalid",
      "A repository is connected by its https address, such as https://github.com/acme/docs.",
    );
  }
  if (url.username || url.password) {
    throw new AppError("invalid", "The address of a repository must not contain a user name or a password.");
  }
  const path = trimEndOf(url.pathname, "/").replace(/\.git$/, "");
  if (path.split("/").length < 3) {
    throw new AppError("invalid", `${text} is not a repository: the address must end in owner and name.`);
  }
  return `${url.origin}${path}`;
}

/**
 * The kind of host at an origin: known by its name, or by how it responds. `AppError invalid` when it is not a known
 * kind.
 */
export async function findHostKind({ outboundHttp }: { outboundHttp: OutboundHttp }, url: string): Promise<RemoteKind> {
  const { hostname, origin } = new URL(url);
  const known = hostname.endsWith(".ghe.com") ? "github" : WELL_KNOWN[hostname];
  if (known) return known;
  const refusal = await outboundHttp.findRefusal(origin);
  if (refusal !== null) {
    throw new AppError("invalid", `${origin} may not be reached: ${refusal} DOCENT_CODE_HOST_ALLOW allows it.`);
  }
  for (const { kind, path, statuses } of SIGNS) {
    const answer = await outboundHttp.send({
      url: origin + path,
      method: "GET",
      headers: { Accept: "application/json" },
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: 100_000,
    });
    if (!answer.ok) throw new AppError("unavailable", `${origin} does not answer: ${answer.message}`);
    const isJson = (answer.headers["content-type"] ?? "").includes("json");
    if (isJson && statuses.includes(answer.status)) return kind;
  }
  throw new AppError(
    "invalid",
    `${origin} does not show which kind of host it is. Say which: github, gitlab, gitea or forgejo (--host in a command).`,
  );
}
