import { createHmac, generateKeyPairSync, randomBytes, verify } from "node:crypto";
import { Hono } from "hono";
import { z } from "zod";
import type { HostParts } from "./host-server.ts";
import { tokenOf } from "./host-server.ts";

/** An app that was created at the host from a manifest, installed by `acme` or not, with its valid tokens. */
export interface GithubAppState {
  manifest: z.infer<typeof Manifest> | null;
  isInstalled: boolean;
  isSuspended: boolean;
  /** The permissions that the installation's owner granted. */
  granted: Record<string, string>;
  /** With what was asked for. */
  tokens: Map<string, { expiresAt: Date } & z.infer<typeof TokenWish>>;
  /** Lifetime of a token in seconds. */
  tokenSeconds: number;
  webhookSecret: string;
  /** Invalidates every issued token, as the host does when an app is uninstalled. */
  revokeTokens(): void;
  /** An event for the app's webhook, signed as the host does. */
  message(event: string, body: object, secret?: string): Request;
}

const APP = { number: 90210, slug: "docent-test", name: "Docent test", installation: 77 };
const INSTALL_PAGE = `/apps/${APP.slug}/installations/new`;

const Manifest = z.strictObject({
  name: z.string().max(34),
  url: z.url(),
  description: z.string(),
  redirect_url: z.url(),
  setup_url: z.url(),
  setup_on_update: z.boolean(),
  public: z.literal(false),
  default_permissions: z.record(z.string(), z.enum(["read", "write"])),
  default_events: z.array(z.string()).optional(),
  hook_attributes: z.strictObject({ url: z.url(), active: z.boolean() }).optional(),
});
const TokenWish = z.strictObject({
  repositories: z.array(z.string()).optional(),
  repository_ids: z.array(z.number()).optional(),
  permissions: z.record(z.string(), z.string()),
});
const Claims = z.strictObject({ iat: z.number(), exp: z.number(), iss: z.string() });

/** Handles GitHub's requests for apps; `null` for any other request. */
export function createGithubApp(): {
  state: GithubAppState;
  routes(parts: HostParts): (request: Request) => Promise<Response | null>;
} {
  const codes = new Set<string>();
  const held: { parts: HostParts | null; keys: ReturnType<typeof newKeys> | null } = { parts: null, keys: null };
  const state: GithubAppState = {
    manifest: null,
    isInstalled: false,
    isSuspended: false,
    granted: {},
    tokens: new Map(),
    tokenSeconds: 3_600,
    webhookSecret: randomBytes(20).toString("hex"),
    revokeTokens() {
      for (const token of state.tokens.keys()) held.parts?.state.tokens.delete(token);
      state.tokens.clear();
    },
    message(event, body, secret = state.webhookSecret) {
      const text = JSON.stringify(body);
      const signature = `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;
      const headers = { "content-type": "application/json", "x-github-event": event, "x-hub-signature-256": signature };
      return new Request(state.manifest!.hook_attributes!.url, { method: "POST", headers, body: text });
    },
  };

  function routes(parts: HostParts) {
    held.parts = parts;
    const { origin } = parts;
    const app = new Hono();
    const refuse = (status: number, message: string) =>
      Response.json({ message, documentation_url: "https://docs.github.com/rest" }, { status });
    const account = { login: "acme", id: 1, type: "Organization" };
    const people = { ...account, ...userFields(origin) };
    const installation = () => ({
      id: APP.installation,
      account: people,
      html_url: `${origin}/organizations/acme/settings/installations/${APP.installation}`,
      access_tokens_url: `${origin}/api/v3/app/installations/${APP.installation}/access_tokens`,
      repositories_url: `${origin}/api/v3/installation/repositories`,
      app_id: APP.number,
      app_slug: APP.slug,
      target_id: 1,
      target_type: "Organization",
      permissions: state.granted,
      events: [],
      repository_selection: "selected",
      single_file_name: null,
      created_at: "2026-11-01T00:00:00Z",
      updated_at: "2026-11-01T00:00:00Z",
      suspended_by: null,
      suspended_at: state.isSuspended ? "2026-11-02T00:00:00Z" : null,
    });

    // The steps of a person there. An app from this form is created and installed without further questions.
    app.post("/:place{(organizations/acme/)?settings/apps/new}", async (c) => {
      const form = new URLSearchParams(await c.req.text());
      state.manifest = Manifest.parse(JSON.parse(form.get("manifest") ?? ""));
      const code = randomBytes(20).toString("hex");
      codes.add(code);
      const back = new URL(state.manifest.redirect_url);
      back.searchParams.set("code", code);
      back.searchParams.set("state", c.req.query("state") ?? "");
      return c.redirect(back.href, 302);
    });
    app.get(INSTALL_PAGE, (c) => {
      state.isInstalled = true;
      state.granted = { ...state.manifest!.default_permissions };
      const back = `${state.manifest!.setup_url}?installation_id=${APP.installation}&setup_action=install`;
      return c.redirect(back, 302);
    });

    app.post("/api/v3/app-manifests/:code/conversions", (c) => {
      if (!codes.delete(c.req.param("code"))) return refuse(404, "Not Found");
      return c.json(
        {
          id: APP.number,
          slug: APP.slug,
          node_id: "A_1",
          name: APP.name,
          owner: people,
          description: null,
          external_url: origin,
          html_url: `${origin}/apps/${APP.slug}`,
          created_at: "2026-11-01T00:00:00Z",
          updated_at: "2026-11-01T00:00:00Z",
          permissions: state.manifest!.default_permissions,
          events: state.manifest!.default_events ?? [],
          client_id: "Iv1.0123456789abcdef",
          client_secret: randomBytes(20).toString("hex"),
          webhook_secret: state.manifest!.hook_attributes ? state.webhookSecret : null,
          pem: (held.keys = newKeys()).privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
        },
        201,
      );
    });

    const isApp = (request: Request): boolean => {
      const [head = "", body = "", signature = ""] = tokenOf(request).split(".");
      const signed = Buffer.from(`${head}.${body}`);
      if (!held.keys || !verify("sha256", signed, held.keys.publicKey, Buffer.from(signature, "base64url")))
        return false;
      const { iat, exp, iss } = Claims.parse(JSON.parse(Buffer.from(body, "base64url").toString()));
      const now = Date.now() / 1_000;
      return iss === String(APP.number) && iat <= now && exp > now && exp - iat <= 660 && exp <= now + 600;
    };
    const noApp = () => refuse(401, "A JSON web token could not be decoded");
    app.get("/api/v3/app/installations", (c) => {
      if (!isApp(c.req.raw)) return noApp();
      return c.json(state.isInstalled ? [installation()] : []);
    });
    app.get("/api/v3/repos/acme/docs/installation", (c) => {
      if (!isApp(c.req.raw)) return noApp();
      return state.isInstalled ? c.json(installation()) : refuse(404, "Not Found");
    });
    app.post(`/api/v3/app/installations/:id/access_tokens`, async (c) => {
      if (!isApp(c.req.raw)) return noApp();
      if (!state.isInstalled || c.req.param("id") !== String(APP.installation)) return refuse(404, "Not Found");
      if (state.isSuspended) return refuse(403, "This installation has been suspended");
      const wish = TokenWish.parse(await c.req.json());
      const { repositories = ["docs"], repository_ids: ids = [4711], permissions } = wish;
      if (repositories.some((name) => name !== "docs") || ids.some((id) => id !== 4711)) {
        return refuse(
          422,
          "There is at least one repository that does not exist or is not accessible to the parent installation.",
        );
      }
      const rank = ["read", "write"];
      const isTooMuch = Object.entries(permissions).some(
        ([name, access]) => rank.indexOf(access) > rank.indexOf(state.granted[name] ?? ""),
      );
      if (isTooMuch) return refuse(422, "The permissions requested are not granted to this installation.");
      // As long as GitHub's tokens are since April 2026.
      const token = `ghs_${APP.number}_${randomBytes(400).toString("base64url")}`.slice(0, 520);
      const expiresAt = new Date(Date.now() + state.tokenSeconds * 1_000);
      state.tokens.set(token, { expiresAt, ...wish });
      parts.state.tokens.add(token);
      return c.json({ token, expires_at: expiresAt.toISOString(), permissions, repository_selection: "selected" }, 201);
    });
    app.get("/api/v3/installation/repositories", (c) => {
      if (!state.tokens.has(tokenOf(c.req.raw)))
        return refuse(403, "You must authenticate with an installation access token");
      const repository = {
        id: 4711,
        name: "docs",
        full_name: parts.path,
        html_url: `${origin}/${parts.path}`,
        archived: parts.state.isArchived,
      };
      return c.json({ total_count: 1, repositories: [repository] });
    });
    app.notFound(() => new Response(null, { status: 599 }));
    app.onError((error) => refuse(422, `Invalid request: ${error.message}`));
    return async (request: Request) => {
      const answer = await app.fetch(request.clone());
      return answer.status === 599 ? null : answer;
    };
  }
  return { state, routes };
}

const newKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

/** The fields that GitHub returns for an account, shortened. */
const userFields = (origin: string) => ({
  node_id: "O_1",
  avatar_url: `${origin}/acme.png`,
  html_url: `${origin}/acme`,
  site_admin: false,
});
