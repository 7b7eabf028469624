import { z } from "zod";
import { repositoryPath } from "#hosts/remote/host-api.ts";
import {
  APP_PERMISSIONS,
  type HostApp,
  type HostApps,
  type Installation,
  type OfferedRepository,
} from "#hosts/remote/host-apps.ts";
import {
  type CalledHost,
  type HostAnswer,
  type HostCall,
  type HostCalls,
  hostMessage,
} from "#hosts/remote/host-call.ts";
import { HostInstant, WebAddress } from "#hosts/remote/host-fields.ts";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { appJwt } from "./app-jwt.ts";
import { githubAppManifest, hostOrigin } from "./app-manifest.ts";
import { githubApi } from "./github-api.ts";
import { findAppSigner, findAppWebhookSecret, insertGithubApp, listGithubApps } from "./github-app-rows.ts";

interface Deps {
  database: Database;
  vault: KeyVault;
  calls: HostCalls;
  outboundHttp: OutboundHttp;
  clock: Clock;
}

/** A token that expires sooner is not used for new work: the longest push takes five minutes. */
const LEAST_LIFE_MS = 10 * 60_000;
const MAX_INSTALLED = 2_000;
const PAGE = 100;
const MAX_PAGES = 3;
const MAX_INSTALLATIONS = 30;

const Conversion = z.looseObject({
  id: z.number(),
  slug: z.string(),
  name: z.string(),
  owner: z.looseObject({ login: z.string() }),
  pem: z.string(),
  webhook_secret: z.string().nullish(),
});
const InstallationAnswer = z.looseObject({
  id: z.number(),
  account: z.looseObject({ login: z.string() }).nullable(),
  html_url: WebAddress,
  suspended_at: z.string().nullish(),
});
const Token = z.looseObject({ token: z.string().min(1), expires_at: HostInstant });
const Repositories = z.looseObject({
  repositories: z.array(
    z.looseObject({ full_name: z.string(), html_url: WebAddress, archived: z.boolean().optional() }),
  ),
});

/** Requests with a code need no token: the code in the address authenticates them. */
const unknownCaller: CalledHost = {
  name: githubApi.name,
  headers: () => ({ Accept: "application/vnd.github+json" }),
};

/** GitHub Apps of this server (https://docs.github.com/en/apps, 2026). Tokens are kept in memory only. */
export function createGithubApps(deps: Deps): HostApps {
  const { calls, clock } = deps;
  /** By installation, then by repository. */
  const tokens = createLruCache<string, Map<string, { token: Secret; expiresAt: Date }>>({ maxWeight: MAX_INSTALLED });
  const pending = new Map<string, Promise<Secret>>();

  const find = async (id: string) => (await listGithubApps(deps)).find((app) => app.id === id) ?? null;
  async function signed(app: HostApp): Promise<HostCall> {
    const signer = await findAppSigner(deps, app.id);
    if (!signer) throw goneError();
    return calls(githubApi, { apiUrl: githubApi.apiUrl(app.origin), token: appJwt(signer, clock.now()) });
  }

  /** Requests the permissions in `body`, or those in `less` when the installation grants fewer. */
  async function mint(
    app: HostApp,
    installationId: string,
    { body, less }: { body: object; less?: object },
  ): Promise<{ token: Secret; expiresAt: Date }> {
    const call = await signed(app);
    const path = `/app/installations/${installationId}/access_tokens`;
    const ask = (request: object) => call({ method: "POST", path, body: request, answers: [401, 403, 404, 422] });
    const first = await ask(body);
    const answer = first.status === 422 && less ? await ask(less) : first;
    if (answer.status !== 201) throw refusedToken(app, answer);
    const { token, expires_at } = answer.read(Token);
    return { token: new Secret(token), expiresAt: new Date(expires_at) };
  }

  async function repositoriesOf(app: HostApp, installationId: string): Promise<OfferedRepository[]> {
    const { token } = await mint(app, installationId, { body: { permissions: { metadata: "read" } } });
    const call = calls(githubApi, { apiUrl: githubApi.apiUrl(app.origin), token });
    const found: OfferedRepository[] = [];
    for (let page = 1; page <= MAX_PAGES; page++) {
      const answer = await call({ method: "GET", path: `/installation/repositories?per_page=${PAGE}&page=${page}` });
      const { repositories } = answer.read(Repositories);
      for (const { full_name: path, html_url: url, archived } of repositories) {
        found.push({ url, path, isArchived: archived ?? false });
      }
      if (repositories.length < PAGE) break;
    }
    return found.toSorted((a, b) => a.path.localeCompare(b.path));
  }

  return {
    list: () => listGithubApps(deps),
    find,
    webhookSecret: (id) => findAppWebhookSecret(deps, id),

    async manifest(request) {
      await requireReachable(deps, hostOrigin(request.origin));
      return githubAppManifest(request);
    },

    async take({ id, origin, code }) {
      const call = calls(unknownCaller, { apiUrl: githubApi.apiUrl(origin), token: new Secret(code) });
      const path = `/app-manifests/${encodeURIComponent(code)}/conversions`;
      const answer = await call({ method: "POST", path, answers: [404, 422] });
      if (answer.status !== 201) {
        throw new AppError(
          "invalid",
          "GitHub does not know this app any more: its code works once and expires after an hour. Start again.",
        );
      }
      const made = answer.read(Conversion);
      const secret = made.webhook_secret ?? null;
      await insertGithubApp(deps, {
        id,
        origin,
        number: String(made.id),
        slug: made.slug,
        name: made.name,
        owner: made.owner.login,
        privateKey: new Secret(made.pem),
        webhookSecret: secret === null ? null : new Secret(secret),
      });
      return (await find(id))!;
    },

    async offers(id) {
      const app = await find(id);
      if (!app) throw goneError();
      const call = await signed(app);
      const answer = await call({
        method: "GET",
        path: `/app/installations?per_page=${MAX_INSTALLATIONS}`,
        answers: [401, 404],
      });
      if (answer.status !== 200) throw refusedApp(app, answer);
      return Promise.all(
        answer
          .read(z.array(InstallationAnswer))
          .map(async ({ id: installationId, account, html_url, suspended_at }) => {
            const isSuspended = typeof suspended_at === "string";
            return {
              account: account?.login ?? "an account that is gone",
              url: html_url,
              isSuspended,
              repositories: isSuspended ? [] : await repositoriesOf(app, String(installationId)),
            };
          }),
      );
    },

    async findInstallation(repositoryUrl) {
      const { origin } = new URL(repositoryUrl);
      const apps = (await listGithubApps(deps)).filter((app) => app.origin === origin);
      if (apps.length === 0) {
        throw new AppError(
          "not_found",
          `This server has no GitHub App at ${origin}. Make one under /admin/github-app, or use a token.`,
        );
      }
      for (const app of apps) {
        const call = await signed(app);
        const path = `/repos/${repositoryPath(repositoryUrl)}/installation`;
        const answer = await call({ method: "GET", path, answers: [401, 404] });
        if (answer.status === 401) throw refusedApp(app, answer);
        if (answer.status === 200) {
          return { appId: app.id, installationId: String(answer.read(z.looseObject({ id: z.number() })).id) };
        }
      }
      const [newest] = apps;
      throw new AppError(
        "not_found",
        `The GitHub App ${newest!.name} is not installed on ${repositoryPath(repositoryUrl)}. Install it there: ${newest!.installUrl}`,
      );
    },

    async token(installation, { url, remoteId }) {
      const own = keyOf(installation);
      const key = `${own} ${remoteId ?? url}`;
      const known = tokens.get(own)?.get(key);
      if (known && known.expiresAt.getTime() - clock.now().getTime() >= LEAST_LIFE_MS) return known.token;
      const under = pending.get(key);
      if (under) return under;
      const one = (async () => {
        const app = await find(installation.appId);
        if (!app) throw goneError();
        const repository =
          remoteId === null ? { repositories: [url.split("/").at(-1)] } : { repository_ids: [Number(remoteId)] };
        const { statuses: _, ...needed } = APP_PERMISSIONS;
        // An app that was created before previews lacks this permission until its owner grants it.
        const made = await mint(app, installation.installationId, {
          body: { ...repository, permissions: APP_PERMISSIONS },
          less: { ...repository, permissions: needed },
        });
        tokens.set(own, new Map(tokens.get(own)).set(key, made));
        return made.token;
      })().finally(() => pending.delete(key));
      pending.set(key, one);
      return one;
    },

    forgetTokens(installation) {
      const isHeld = tokens.get(keyOf(installation)) !== undefined;
      tokens.delete(keyOf(installation));
      return isHeld;
    },
  };
}

const keyOf = ({ appId, installationId }: Installation) => `${appId} ${installationId}`;

const goneError = () => new AppError("not_found", "This server does not have this GitHub App any more.");

function refusedApp({ name, url }: HostApp, { body }: HostAnswer): AppError {
  return new AppError(
    "forbidden",
    `GitHub does not take the app ${name} for itself: it was deleted there (${url}), its private key was, or this server's clock is wrong. GitHub says: ${hostMessage(body)}`,
  );
}

/** Why an installation gives no token (GitHub, 2026). */
function refusedToken(app: HostApp, answer: HostAnswer): AppError {
  const message = hostMessage(answer.body);
  if (answer.status === 401) return refusedApp(app, answer);
  const words = {
    403: `GitHub suspended the app ${app.name} for this repository. Its owner ends that under Settings → Applications → Installed GitHub Apps → Configure. GitHub says: ${message}`,
    404: `The GitHub App ${app.name} is not installed any more. Install it again: ${app.installUrl} – or give this project a token.`,
  }[answer.status];
  return new AppError(
    "forbidden",
    words ??
      `The GitHub App ${app.name} may not do all that is needed with this repository. Its owner adds the repository, or accepts the new permissions, under Settings → Applications → Installed GitHub Apps → Configure (${app.installUrl}). GitHub says: ${message}`,
  );
}

async function requireReachable({ outboundHttp }: Pick<Deps, "outboundHttp">, origin: string): Promise<void> {
  const refusal = await outboundHttp.findRefusal(githubApi.apiUrl(origin));
  if (refusal !== null) {
    throw new AppError("invalid", `${origin} may not be reached: ${refusal} DOCENT_CODE_HOST_ALLOW allows it.`);
  }
}
