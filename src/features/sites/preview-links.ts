import { createHmac } from "node:crypto";
import type { ProjectId } from "#lib/ids.ts";
import { isSameSecret } from "#lib/secrets/secret.ts";
import { AppError } from "#lib/app-error.ts";
import type { PlainAnswer, PlainRequest, WholeRequest } from "#lib/network/plain-http.ts";
import { acceptsHtml } from "./accept.ts";

const LABEL = /^(?:pr-([1-9]\d{0,8})|branch-([0-9a-f]{10}))--([a-z0-9-]+)$/;

/** The subject of a preview: a pull request, or a branch by the hash of its name, which may contain any character. */
export type PreviewName = { number: number } | { branchHash: string };

/** Host label of a preview's site: no project's slug has two hyphens in a row. */
export const previewSlug = (slug: string, name: PreviewName) =>
  "number" in name ? `pr-${name.number}--${slug}` : `branch-${name.branchHash}--${slug}`;

export const isPreviewSlug = (label: string) => LABEL.test(label);

/** Parses a label, whether the preview exists or not. */
export function readPreviewSlug(label: string): { slug: string; name: PreviewName } | null {
  const [, number, branchHash, slug] = LABEL.exec(label) ?? [];
  if (slug === undefined) return null;
  if (number !== undefined) return { slug, name: { number: Number(number) } };
  return branchHash === undefined ? null : { slug, name: { branchHash } };
}

/** The preview of a pull request or of a branch. */
export type PreviewOf = { projectId: ProjectId; slug: string } & ({ number: number } | { branch: string });

/** The addresses that open previews, which cannot be guessed. */
export interface PreviewLinks {
  /** Address of a page of the preview (default: its first), with its token. */
  link(preview: PreviewOf, path?: string): string;
  opens(preview: { projectId: ProjectId } & PreviewName, token: string): boolean;
  /** Identifies a branch in a host name: keyed, so that no one can create a branch with the hash of another. */
  branchHash(projectId: ProjectId, branch: string): string;
}

/** Name of the token in an address. */
export const PREVIEW_PARAMETER = "preview";

// It does not fit into a host label: of its 63 characters, the slug and its prefix may take 59.
const TOKEN_CHARACTERS = 32; // 192 bits in base64url
const HASH_CHARACTERS = 10; // 40 bits: a project has at most thousands of branches

/**
 * Tokens are derived from the instance's key and not stored: every node can verify them, and a copy of the database
 * cannot create any. They open only open pull requests, so each ends with its pull request, whose number is never
 * reused; that of a branch is valid while a branch of this name exists.
 */
export function createPreviewLinks(deps: { key: Buffer; siteUrl(label: string): string }): PreviewLinks {
  const hmac = (text: string) => createHmac("sha256", deps.key).update(text);
  const tokenOf = (projectId: ProjectId, name: PreviewName) =>
    hmac("number" in name ? `${projectId} ${name.number}` : `${projectId} branch ${name.branchHash}`)
      .digest("base64url")
      .slice(0, TOKEN_CHARACTERS)
      // Code hosts and mail programs do not count these as part of a link that ends with them.
      .replace(/[_-]$/, "0");
  const branchHash = (projectId: ProjectId, branch: string) =>
    hmac(`${projectId} name of branch ${branch}`).digest("hex").slice(0, HASH_CHARACTERS);
  return {
    branchHash,
    link(preview, path = "/") {
      const { projectId, slug } = preview;
      const name = "number" in preview ? preview : { branchHash: branchHash(projectId, preview.branch) };
      const site = new URL(deps.siteUrl(previewSlug(slug, name)));
      const wanted = URL.parse(path, site.href);
      const target = wanted?.origin === site.origin ? wanted : site;
      target.searchParams.set(PREVIEW_PARAMETER, tokenOf(projectId, name));
      return target.href;
    },
    opens: (preview, token) => isSameSecret(token, tokenOf(preview.projectId, preview)),
  };
}

/** The credentials of a preview request: the token of the address, or of the cookie that replaced it. */
interface ShownTokens {
  address: string | null;
  cookies: readonly string[];
}

/** The prefix prevents other hosts of the domain from setting it; browsers accept it over TLS only. */
const cookieName = (scheme: string) => (scheme === "https:" ? "__Host-docent_preview" : "docent_preview");

export function shownTokens(request: WholeRequest, scheme: string): ShownTokens {
  const name = `${cookieName(scheme)}=`;
  const cookies = (request.headers.get("cookie") ?? "").split(";").map((cookie) => cookie.trim());
  return {
    address: request.location.searchParams.get(PREVIEW_PARAMETER),
    cookies: cookies.filter((cookie) => cookie.startsWith(name)).map((cookie) => cookie.slice(name.length)),
  };
}

/** Whether a browser requests a page: it keeps cookies and follows redirects, which programs may not do. */
export const isPerson = ({ method, headers }: PlainRequest): boolean =>
  (method === "GET" || method === "HEAD") && acceptsHtml(headers);

/** Exchanges the token in the address for a cookie of this host only: addresses are copied, forwarded and logged. */
export function keepToken(request: WholeRequest, token: string, scheme: string): PlainAnswer {
  const { pathname, searchParams } = new URL(request.location);
  searchParams.delete(PREVIEW_PARAMETER);
  const query = searchParams.size === 0 ? "" : `?${searchParams.toString()}`;
  const secure = scheme === "https:" ? "; Secure" : "";
  return {
    status: 303,
    headers: {
      // A path that begins with two slashes would be a host.
      Location: pathname.replace(/^\/+/, "/") + query,
      "Set-Cookie": `${cookieName(scheme)}=${token}; Path=/; HttpOnly; SameSite=Lax${secure}`,
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
    },
    body: null,
  };
}

const NO_LINK =
  "This preview opens by its link: `previewLink` of the job, the button on the pull request's page, or the project's page Deployments.";

/** The same for every preview, whether it exists or not: people are redirected to `doorway`, programs refused. */
export function askForLink(request: WholeRequest, doorway: string): PlainAnswer {
  if (!isPerson(request)) throw new AppError("unauthorized", NO_LINK);
  const { pathname, searchParams } = new URL(request.location);
  searchParams.delete(PREVIEW_PARAMETER); // it is invalid here, and may be someone's secret
  const path = pathname + (searchParams.size === 0 ? "" : `?${searchParams.toString()}`);
  return {
    status: 303,
    headers: {
      Location: `${doorway}?path=${encodeURIComponent(path)}`,
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
    },
    body: null,
  };
}
