import { createHmac } from "node:crypto";
import type { ProjectId } from "#lib/ids.ts";
import { isSameSecret } from "#lib/secrets/secret.ts";

const LABEL = /^pr-([1-9]\d{0,8})--([a-z0-9-]+)$/;

/** Label of the site that shows an open pull request: no project's slug has two hyphens in a row. */
export const previewSlug = (slug: string, number: number) => `pr-${number}--${slug}`;

export const isPreviewSlug = (label: string) => LABEL.test(label);

/** What a label names, whether it is there or not. */
export function readPreviewSlug(label: string): { slug: string; number: number } | null {
  const [, number, slug] = LABEL.exec(label) ?? [];
  return number === undefined || slug === undefined ? null : { slug, number: Number(number) };
}

/** A pull request's preview. */
export interface PreviewOf {
  projectId: ProjectId;
  slug: string;
  number: number;
}

/** The addresses by which previews open, which nobody can guess. */
export interface PreviewLinks {
  /** Address of a page of the preview (default: its first), with the token that opens it. */
  link(preview: PreviewOf, path?: string): string;
  opens(preview: Pick<PreviewOf, "projectId" | "number">, token: string): boolean;
}

/** Name of the token in an address. */
export const PREVIEW_PARAMETER = "preview";

// A host label has no room for it: of its 63 characters the slug and the number may take 54.
const TOKEN_CHARACTERS = 32; // 192 bits in base64url

/**
 * Tokens are made from the instance's key, not stored: every node knows them, and a copy of the database makes none. They
 * open an open pull request only, so each ends with its pull request, whose number never comes again.
 */
export function createPreviewLinks(deps: { key: Buffer; siteUrl(label: string): string }): PreviewLinks {
  const tokenOf = ({ projectId, number }: Pick<PreviewOf, "projectId" | "number">) =>
    createHmac("sha256", deps.key).update(`${projectId} ${number}`).digest("base64url").slice(0, TOKEN_CHARACTERS);
  return {
    link(preview, path = "/") {
      const site = new URL(deps.siteUrl(previewSlug(preview.slug, preview.number)));
      const wanted = URL.parse(path, site.href);
      const target = wanted?.origin === site.origin ? wanted : site;
      target.searchParams.set(PREVIEW_PARAMETER, tokenOf(preview));
      return target.href;
    },
    opens: (preview, token) => isSameSecret(token, tokenOf(preview)),
  };
}
