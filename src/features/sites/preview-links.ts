import { createHmac } from "node:crypto";
import type { ProjectId } from "#lib/ids.ts";
import { isSameSecret } from "#lib/secrets/secret.ts";
import { AppError } from "#lib/app-error.ts";
import type { PlainAnswer, PlainRequest, WholeRequest } from "#lib/network/plain-http.ts";
import { acceptsHtml } from "./accept.ts";

const LABEL = /^(?:pr-([1-9]\d{0,8})|branch-([0-9a-f]{10}))--([a-z0-9-]+)$/;

/** What a preview shows: an open pull request, or a branch by the hash of its name, which may hold anything. */
export type PreviewName = { number: number } | { branchHash: string };

/** Label of a preview's site: no project's slug has two hyphens in a row. */
export const previewSlug = (slug: string, name: PreviewName) =>
  "number" in name ? `pr-${name.number}--${slug}` : `branch-${name.branchHash}--${slug}`;

export const isPreviewSlug = (label: string) => LABEL.test(label);

/** What a label names, whether it is there or not. */
export function readPreviewSlug(label: string): { slug: string; name: PreviewName } | null {
  const [, number, branchHash, slug] = LABEL.exec(label) ?? [];
  if (slug === undefined) return null;
  if (number !== undefined) return { slug, name: { number: Number(number) } };
  return branchHash === undefined ? null : { slug, name: { branchHash } };
}

/** The preview of a pull request or of a branch. */
export type PreviewOf = { projectId: ProjectId; slug: string } & ({ number: number } | { branch: string });

/** The addresses by which previews open, which nobody can guess. */
export interface PreviewLinks {
  /** Address of a page of the preview (default: its first), with the token that opens it. */
  link(preview: PreviewOf, path?: string): string;
  opens(preview: { projectId: ProjectId } & PreviewName, token: string): boolean;
  /** What stands for a branch in the name of a host: keyed, so that nobody makes a branch with the hash of another. */
  branchHash(projectId: ProjectId, branch: string): string;
}

/** Name of the token in an address. */
export const PREVIEW_PARAMETER = "preview";

// A host label has no room for it: of its 63 characters the slug, and what is before it, may take 59.
const TOKEN_CHARACTERS = 32; // 192 bits in base64url
const HASH_CHARACTERS = 10; // 40 bits: a project has at most thousands of branches

/**
 * Tokens are made from the instance's key, not stored: every node knows them, and a copy of the database makes none. They
 * open an open pull request only, so each ends with its pull request, whose number never comes again; that of a branch is
 * good as long as there is one of its name.
 */
export function createPreviewLinks(deps: { key: Buffer; siteUrl(label: string): string }): PreviewLinks {
  const hmac = (text: string) => createHmac("sha256", deps.key).update(text);
  const tokenOf = (projectId: ProjectId, name: PreviewName) =>
    hmac("number" in name ? `${projectId} ${name.number}` : `${projectId} branch ${name.branchHash}`)
      .digest("base64url")
      .slice(0, TOKEN_CHARACTERS);
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

/** What somebody shows to be let into a preview: the token of an address, or of the cookie that it left. */
interface ShownTokens {
  address: string | null;
  cookies: readonly string[];
}

/** The prefix keeps other hosts of the domain from setting it; browsers take it over TLS only. */
const cookieName = (scheme: string) => (scheme === "https:" ? "__Host-docent_preview" : "docent_preview");

export function shownTokens(request: WholeRequest, scheme: string): ShownTokens {
  const name = `${cookieName(scheme)}=`;
  const cookies = (request.headers.get("cookie") ?? "").split(";").map((cookie) => cookie.trim());
  return {
    address: request.location.searchParams.get(PREVIEW_PARAMETER),
    cookies: cookies.filter((cookie) => cookie.startsWith(name)).map((cookie) => cookie.slice(name.length)),
  };
}

/** Whether a browser asks for a page: it keeps cookies and follows redirects, which programs may not do. */
export const isPerson = ({ method, headers }: PlainRequest): boolean =>
  (method === "GET" || method === "HEAD") && acceptsHtml(headers);

/** Exchanges the token in the address for a cookie of this host alone: addresses are copied, sent on and logged. */
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

/** The same for every preview, whether it is there or not: people are led to `doorway`, programs refused. */
export function askForLink(request: WholeRequest, doorway: string): PlainAnswer {
  if (!isPerson(request)) throw new AppError("unauthorized", NO_LINK);
  const { pathname, searchParams } = new URL(request.location);
  searchParams.delete(PREVIEW_PARAMETER); // of no use, and it may be somebody's
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
