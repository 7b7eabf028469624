import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { type CommandIo, writeLine } from "#cli/command/io.ts";

const PATIENCE_MS = 10 * 60_000;
const Metadata = z.object({
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  registration_endpoint: z.url(),
});

/**
 * Asks a person to authorize this command in their browser, which redirects to a port of this machine (RFC 8252).
 * Returns a personal access token. `AppError unavailable` if the server does not support it or nobody responds,
 * `forbidden` if they decline.
 */
export async function loginInBrowser(server: string, io: CommandIo): Promise<string> {
  const { authorization_endpoint, token_endpoint, registration_endpoint } = await metadataOf(server);
  const verifier = randomBytes(32).toString("base64url");
  const state = randomBytes(16).toString("base64url");
  const listener = createServer();
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  try {
    const redirectUri = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
    const registered = await post(registration_endpoint, JSON.stringify({ client_name: "docent command line", redirect_uris: [redirectUri] }), "application/json"); // oxfmt-ignore
    const clientId = z.object({ client_id: z.string() }).parse(registered).client_id;
    const asked = new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: "admin",
      state,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    writeLine(io.stderr, `Open this address in a browser on this machine, and allow the command line:\n\n  ${authorization_endpoint}?${asked.toString()}\n`); // oxfmt-ignore
    const code = await codeFrom(listener, state, AbortSignal.any([io.signal, AbortSignal.timeout(PATIENCE_MS)]));
    const fields = new URLSearchParams({ grant_type: "authorization_code", code, client_id: clientId, redirect_uri: redirectUri, code_verifier: verifier }); // oxfmt-ignore
    const answer = await post(token_endpoint, fields.toString(), "application/x-www-form-urlencoded");
    return z.object({ access_token: z.string() }).parse(answer).access_token;
  } finally {
    listener.close();
    listener.closeAllConnections();
  }
}

async function metadataOf(server: string) {
  const answer = await fetch(`${server}/.well-known/oauth-authorization-server`).catch((error: unknown) => {
    throw new AppError("unavailable", `${server} could not be reached.`, { cause: error });
  });
  const parsed = Metadata.safeParse(await answer.json().catch(() => null));
  if (parsed.success) return parsed.data;
  throw new AppError("unavailable", `${server} has no sign-in for commands by the browser. Log in with a key, without --browser.`); // oxfmt-ignore
}

async function post(url: string, body: string, type: string): Promise<unknown> {
  const answer = await fetch(url, { method: "POST", body, headers: { "Content-Type": type } });
  const json: unknown = await answer.json().catch(() => null);
  if (answer.ok) return json;
  const said = z.object({ error_description: z.string() }).safeParse(json);
  throw new AppError("unavailable", said.success ? said.data.error_description : `${new URL(url).origin} answered ${answer.status}.`); // oxfmt-ignore
}

/** Waits for the code from the browser. Requests without our state come from elsewhere. */
function codeFrom(listener: Server, state: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new AppError("unavailable", "Nobody answered in the browser.")), { once: true }); // oxfmt-ignore
    listener.on("request", (request, response) => {
      const query = new URL(request.url ?? "/", "http://127.0.0.1").searchParams;
      const isOurs = query.get("state") === state;
      const code = query.get("code");
      const text = !isOurs ? "Nothing is here." : code === null ? "The command line was not let in. You can close this page." : "The command line is signed in. You can close this page."; // oxfmt-ignore
      response.writeHead(isOurs ? 200 : 404, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" });
      response.end(`${text}\n`, () => {
        if (!isOurs) return;
        if (code === null) reject(new AppError("forbidden", "The command line was not allowed in the browser."));
        else resolve(code);
      });
    });
  });
}
