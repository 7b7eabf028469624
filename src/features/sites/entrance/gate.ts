import type { ProjectId } from "#lib/ids.ts";
import { type Holder, isOfProject } from "#features/keys/holder.ts";
import type { PlainAnswer, WholeRequest } from "#lib/network/plain-http.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import type { SiteAccess } from "#features/projects/site-access.ts";
import { isPassword, MAX_PASSWORD } from "#lib/secrets/password.ts";
import { createBody, sendBody } from "#lib/network/body.ts";
import type { ThemeFiles } from "#kit/pages/browser-modules.ts";
import { isPerson } from "#features/sites/preview-links.ts";
import { PAGE_HEADERS } from "#features/sites/serving/page-headers.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import { ACCESS_PARAMETER } from "#features/sites/access-parameter.ts";
import { type AccessToken, type AccessTokens, isTokenShaped, type TokenSite } from "./access-tokens.ts";
import { memberOfEntry, readMember } from "./entries.ts";
import { clearedCookie, readerCookie, readerCookies } from "./reader-cookie.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { ownDocument } from "#features/sites/theme/document.ts";

/** A request to a site that is not public, with paths relative to the site. */
export interface GateVisit {
  request: WholeRequest;
  project: SiteProject;
  access: SiteAccess;
  /** The slug or domain in the request. */
  label: string;
  base: string;
  peerAddress: string;
}

/** Guards everything of a private site. */
export interface Gate {
  /** Null for an admitted request; else the response, which contains nothing of the site. */
  admit(visit: GateVisit): Promise<PlainAnswer | null>;
}

const DAY_MS = 86_400_000;
const READER_MS = 7 * DAY_MS;
const MEMBER_MS = DAY_MS / 2;
const MAX_FORM_BYTES = 4_096;
const MAX_HEADER = 300;
const RETRY_SECONDS = 60;

export function createGate(deps: {
  tokens: AccessTokens;
  files: ThemeFiles;
  /** `AppError forbidden` for a key that is not valid from that address. */
  authenticate(key: string, from: string): Promise<Holder | null>;
  /** Whether the key or person of a cookie is still signed in to the dashboard, and may see the project. */
  isMemberSignedIn(
    member: ReturnType<typeof readMember>,
    seen: { projectId: ProjectId; from: string },
  ): Promise<boolean>;
  /** The client's address, behind trusted proxies. */
  addressOf(request: WholeRequest, peerAddress: string): string;
  /** Takes an entry, which opens a site once; false if it was taken before. */
  spendEntry(projectId: ProjectId, token: AccessToken): Promise<boolean>;
  /** Whether a client may make one more attempt in this minute. */
  admitsGuess(project: SiteProject, request: WholeRequest, peerAddress: string): boolean;
  /** The address where people sign in to the dashboard and return from. */
  doorway(visit: { project: SiteProject; label: string; path: string }): string;
  /** `https:` or `http:` as readers see it. */
  scheme(): string;
}): Gate {
  const { tokens, files } = deps;
  // A password check takes 32 MB and one of four threads for 60 ms: two at once, one per site.
  const guesses = createFairPlaces({ places: 2, perOwner: 1, maxWaiting: 20 });

  const from = ({ request, peerAddress }: GateVisit) => deps.addressOf(request, peerAddress);

  async function isValid(visit: GateVisit, token: AccessToken | null): Promise<boolean> {
    return (
      token !== null &&
      (token.kind !== "member" ||
        (await deps.isMemberSignedIn(readMember(token.subject), { projectId: visit.project.id, from: from(visit) })))
    );
  }

  /** A program's key of the project, or a link's token. */
  async function hasKey(visit: GateVisit, site: TokenSite): Promise<boolean> {
    const { request, project } = visit;
    const header = request.headers.get("authorization") ?? "";
    const [, key] = (header.length <= MAX_HEADER && /^Bearer +(\S+) *$/i.exec(header)) || [];
    if (key === undefined) return false;
    if (tokens.read(site, key, ["link"]) !== null) return true;
    const principal = await deps.authenticate(key, from(visit));
    return principal !== null && isOfProject(principal, project.id);
  }

  async function hasCookie(visit: GateVisit, site: TokenSite): Promise<boolean> {
    const { request, base } = visit;
    for (const cookie of readerCookies(request, { base, scheme: deps.scheme() })) {
      if (await isValid(visit, tokens.read(site, cookie, ["reader", "member", "link"]))) return true;
    }
    return false;
  }

  /** Exchanges the token in an address for a cookie: addresses are copied, forwarded and logged. */
  async function exchangeToken(visit: GateVisit, site: TokenSite): Promise<PlainAnswer | "in" | null> {
    const { request, base } = visit;
    const text = request.location.searchParams.get(ACCESS_PARAMETER);
    const token = text === null ? null : tokens.read(site, text, ["link", "entry"]);
    if (text === null || token === null) return null;
    if (!isPerson(request)) return token.kind === "link" ? "in" : null;
    const isLink = token.kind === "link";
    // HEAD is a program that looks at a link, and takes nothing.
    if (!isLink && (request.method === "HEAD" || !(await deps.spendEntry(visit.project.id, token)))) return null;
    const value = isLink
      ? text
      : tokens.make(site, { kind: "member", lifetimeMs: MEMBER_MS, subject: memberOfEntry(token) });
    return redirectTo(pathWithout(request), { base, cookie: cookieOf(visit, value, isLink ? token.expiresAt : null) });
  }

  const cookieOf = ({ base }: GateVisit, value: string, expiresAt: Date | null): string =>
    readerCookie({ value, expiresAt, base, scheme: deps.scheme() });

  async function signIn(visit: GateVisit, site: TokenSite): Promise<PlainAnswer> {
    const { request, project, access, base, peerAddress } = visit;
    const form = new URLSearchParams((await request.textUpTo(MAX_FORM_BYTES)) ?? "");
    const to = safePath(form.get("to"));
    if (!deps.admitsGuess(project, request, peerAddress)) {
      const problem = "Too many tries from your address. Wait a minute.";
      return await askForPassword(visit, { to, problem, status: 429 });
    }
    const given = (form.get("password") ?? "").slice(0, MAX_PASSWORD + 1);
    const hash = access.passwordHash;
    const isRight = hash !== null && (await guesses.run(project.id, () => isPassword(given, hash)));
    if (!isRight) return await askForPassword(visit, { to, problem: "This is not the password.", status: 401 });
    const value = tokens.make(site, { kind: "reader", lifetimeMs: READER_MS });
    return redirectTo(to, { base, cookie: cookieOf(visit, value, null) });
  }

  function askForPassword(
    { request, base }: GateVisit,
    { to, problem, status }: { to: string; problem: string | null; status: 401 | 429 },
  ): Promise<PlainAnswer> {
    return sendOwn(request, signInDocument(files, { base, to, way: "password", problem }), status);
  }

  async function refuse(visit: GateVisit): Promise<PlainAnswer> {
    const { request, project, access, label, base } = visit;
    if (!isPerson(request)) return REFUSAL;
    const to = pathWithout(request);
    if (access.mode === "dashboard") return redirectTo(deps.doorway({ project, label, path: to }), { base: "" });
    if (access.mode === "password") return await askForPassword(visit, { to, problem: null, status: 401 });
    return await sendOwn(request, signInDocument(files, { base, to, way: "links", problem: null }), 401);
  }

  return {
    async admit(visit) {
      const { request, project, access, base } = visit;
      const { pathname } = request.location;
      const site = { id: project.id, version: access.version };
      if (files.find(pathname) !== null) return null; // files of the theme are the same for all sites
      if (pathname === SIGN_OUT_PATH) {
        if (request.method !== "POST") return await sendOwn(request, signOutDocument(files, base), 200);
        const answer = await sendOwn(request, signedOutDocument(files, base), 200);
        return {
          ...answer,
          headers: { ...answer.headers, "Set-Cookie": clearedCookie({ base, scheme: deps.scheme() }) },
        };
      }
      if (request.method === "POST" && pathname === SIGN_IN_PATH && access.mode === "password") {
        return await signIn(visit, site);
      }
      // The address that a wrong password leaves in the address bar, opened again: no page is there.
      if (pathname === SIGN_IN_PATH && isPerson(request)) return redirectTo("/", { base });
      if (await hasKey(visit, site)) return null;
      const entered = await exchangeToken(visit, site);
      if (entered !== null) return entered === "in" ? null : entered;
      if (!(await hasCookie(visit, site))) return await refuse(visit);
      // Who is in already came with a token that opens nothing any more.
      return withoutToken(request, base);
    },
  };
}

const NOT_KEPT = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow" };

/** The response to programs. */
const REFUSAL: PlainAnswer = {
  status: 401,
  headers: { ...NOT_KEPT, "Content-Type": "text/plain; charset=utf-8", "WWW-Authenticate": "Bearer" },
  body: "This site is private. Send `Authorization: Bearer` with a key of its project or the token of a link.\n",
};

/** Complete each time: a client that is not admitted has no copy to revalidate. */
async function sendOwn(request: WholeRequest, html: string, status: 200 | 401 | 429): Promise<PlainAnswer> {
  const answer = await sendBody(request, createBody(html, "text/html; charset=utf-8"), {
    status,
    headers: { ...PAGE_HEADERS, ...NOT_KEPT, ...(status === 429 && { "Retry-After": String(RETRY_SECONDS) }) },
  });
  const { ETag: _, ...headers } = answer.headers;
  return { ...answer, headers };
}

function redirectTo(path: string, { base, cookie }: { base: string; cookie?: string }): PlainAnswer {
  const headers = { ...NOT_KEPT, Location: base + path, ...(cookie !== undefined && { "Set-Cookie": cookie }) };
  return { status: 303, headers, body: null };
}

/** The address of the page, for a person who came with a token to a site that needs none; null without a token. */
export const withoutToken = (request: WholeRequest, base: string): PlainAnswer | null =>
  isPerson(request) && hasToken(request) ? redirectTo(pathWithout(request), { base }) : null;

const hasToken = ({ location }: WholeRequest): boolean =>
  isTokenShaped(location.searchParams.get(ACCESS_PARAMETER) ?? "");

/** Path and query of a request without its token. */
function pathWithout(request: WholeRequest): string {
  const { pathname, searchParams } = new URL(request.location);
  searchParams.delete(ACCESS_PARAMETER);
  // A path that begins with two slashes would be a host.
  return pathname.replace(/^\/+/, "/") + (searchParams.size === 0 ? "" : `?${searchParams.toString()}`);
}

/** Only a path of the site itself: `//host` and `/\host` would redirect to another site. */
function safePath(to: string | null): string {
  return to !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(to) ? to : "/";
}

export const SIGN_IN_PATH = "/_docent/sign-in";
const SIGN_OUT_PATH = "/_docent/sign-out";

/** The sign-in page: the same for every site and every path of it. */
function signInDocument(
  files: ThemeFiles,
  { base, to, way, problem }: { base: string; to: string; way: "password" | "links"; problem: string | null },
): string {
  const form = html`<form class="site-sign-in" method="post" action="${SIGN_IN_PATH}">
    <input type="hidden" name="to" value="${to}" />
    <label>Password <input name="password" type="password" autocomplete="current-password" maxlength="200" required autofocus /></label>
    <button type="submit">Open</button>
  </form>`;
  return privateDocument(
    files,
    base,
    html`<h1>This site is private</h1>
      ${problem === null ? "" : html`<p role="alert">${problem}</p>`}
      ${way === "password" ? html`<p>Enter its password to read it.</p>${form}` : html`<p>It opens by a link that its owners give out. If you had one, ask them for another.</p>`}`,
  );
}

/** Asks before it signs out: a GET that signs out could be linked from anywhere. */
function signOutDocument(files: ThemeFiles, base: string): string {
  return privateDocument(
    files,
    base,
    html`<h1>Sign out</h1><form class="site-sign-in" method="post" action="${SIGN_OUT_PATH}"><button type="submit">Sign out of this site</button></form>`,
  );
}

/** After signing out. */
function signedOutDocument(files: ThemeFiles, base: string): string {
  return privateDocument(
    files,
    base,
    html`<h1>Signed out</h1><p>This browser cannot read the site any more. <a href="/">Open it again</a></p>`,
  );
}

function privateDocument(files: ThemeFiles, base: string, body: Html): string {
  return ownDocument(files, { title: "Private site", base, body });
}
