import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** The claims of the next person who signs in. */
export interface Claims {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
}

const CLIENT = { client_id: "docent", client_secret: "the secret of docent" };

/** A real OpenID Connect provider on loopback that signs every visitor in at once. */
export async function startIdentityProvider(redirectUri: string) {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const state: { claims: Claims; refuses: boolean } = { claims: { sub: "1" }, refuses: false };
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [redirectUri] }],
    scopes: ["openid", "email", "profile", "groups"],
    claims: { email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60 },
    cookies: { keys: ["a key for tests"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...state.claims, sub }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        clientId: oidc.client!.clientId,
        ...(oidc.session?.accountId !== undefined && { accountId: oidc.session.accountId }),
      });
      grant.addOIDCScope("openid email profile groups");
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  server.on("request", (request, response) => {
    if (!request.url!.startsWith("/interaction/")) return void callback(request, response);
    const result = state.refuses ? { error: "access_denied" } : { login: { accountId: state.claims.sub } };
    void provider.interactionFinished(request, response, result);
  });

  return {
    issuer,
    clientId: CLIENT.client_id,
    clientSecret: CLIENT.client_secret,
    state,
    /** Follows the provider's redirects like a browser; returns the callback address. */
    async visit(url: string): Promise<string> {
      const cookies = new Map<string, string>();
      let at = url;
      while (!at.startsWith(redirectUri)) {
        const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
        const answer = await fetch(at, { redirect: "manual", headers: { cookie } });
        for (const line of answer.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const next = answer.headers.get("location");
        if (next === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
        at = new URL(next, at).href;
      }
      return at;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
