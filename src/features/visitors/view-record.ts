import type { ProjectId } from "#lib/ids.ts";
import { memoize } from "#lib/memoize.ts";
import type { Preference, Source, Surface } from "./facts.ts";

/**
 * A view on its way into the counts, which the journal keeps for the seconds until it is folded. The only place where
 * an address and a user agent are stored.
 */
export interface ViewRecord {
  project: ProjectId;
  /** Milliseconds since 1970. */
  time: number;
  source: Source;
  path: string;
  surface: Surface;
  found: boolean;
  address: string;
  userAgent: string;
  preference: Preference;
  /** Referring host. */
  referrer: string | null;
  /** GPC or DNT was set. */
  isPrivate: boolean;
  /** First-party id, in cookie mode. */
  cookie: string | null;
  /** Repeats of an event count once. */
  event: string | null;
  signatureAgent: string | null;
  /** The result of checking the sender's signature; missing when it had none that could be checked. */
  signature?: SignatureVerdict | null;
  /** The browser prefetched a page that the reader may never open. */
  isPrefetch: boolean;
  /** The page's script reports an automated browser; missing in older scripts and records. */
  isAutomated?: boolean;
  /** A browser requested it to display it (`Sec-Fetch-Mode: navigate`); missing otherwise. */
  isNavigation?: boolean;
  /** A confirmation for a page of the site itself, which is also counted among the pages served to browsers. */
  isOfServedPage?: boolean;
}

/** The result of checking a signature with a key, or a claimed key, of `operator`. */
export interface SignatureVerdict {
  isValid: boolean;
  operator: string;
}

/** Views that were lost before they could be written: listed in the report of excluded views. */
export interface LossRecord {
  project: ProjectId;
  time: number;
  shed: number;
}

/**
 * Pages that were served to browsers. None is a view before its script confirms it, so only their number is kept: no
 * page, no address, no user agent.
 */
export interface ServedPagesRecord {
  project: ProjectId;
  /** When the first of them was served, on the same UTC day as the others. */
  time: number;
  /** The number of pages; `delivered` is the field's name in journals of earlier versions. */
  delivered: number;
  isPrivate: boolean;
  isPrefetch: boolean;
  /** Not served to a browser but excluded from the counts, because its address sends too many requests. */
  isFlood?: boolean;
}

export type JournalRecord = ViewRecord | LossRecord | ServedPagesRecord;

export const MAX_PATH_LENGTH = 1_024;

/** A page's path without query, fragment, Markdown extension, index and trailing slash; null for an invalid path. */
export function pagePath(raw: string): string | null {
  let path = raw.replace(/[?#].*/s, "");
  if (path.includes("%")) {
    try {
      path = decodeURI(path);
    } catch {
      return null;
    }
  }
  if (!path.startsWith("/") || path.length > MAX_PATH_LENGTH || !path.isWellFormed()) return null;
  if (/\p{Cc}/u.test(path)) return null; // no label contains a control character
  path = path.normalize("NFC").replaceAll(/\/{2,}/g, "/");
  path = path
    .replace(/\.(?:md|mdx|markdown)$/i, "")
    .replace(/\/index$/, "/")
    .replace(/(?<=.)\/$/, "");
  return path === "" ? "/" : path;
}

/** The format that a request's `Accept` prefers. No browser names Markdown; coding agents do. */
export const acceptPreference = (accept: string | null): Preference => preferenceOf(accept ?? "");

const preferenceOf = memoize((accept: string): Preference => {
  const quality = (type: string): number => {
    const part = accept.split(",").find((one) => one.split(";")[0]?.trim().toLowerCase() === type);
    if (part === undefined) return 0;
    const q = /;\s*q=([\d.]+)/i.exec(part)?.[1];
    return q === undefined ? 1 : Number(q) || 0;
  };
  const markdown = Math.max(quality("text/markdown"), quality("text/x-markdown"));
  const html = quality("text/html");
  if (markdown === 0 && html === 0) return "none";
  return markdown >= html ? "markdown" : "html";
});

/**
 * Host of a referring address, without `www.`; null when it has none, or belongs to the site at `ownAddress` itself.
 */
export function referrerHost(referrer: string | null, ownAddress: string | null = null): string | null {
  const host = siteHost(referrer);
  return host === null || host === siteHost(ownAddress) ? null : host;
}

function siteHost(address: string | null): string | null {
  if (!address) return null;
  try {
    const { hostname } = new URL(address); // for an Android app, `android-app://com.example`, its name
    return hostname === "" ? null : hostname.replace(/^www\./, "").slice(0, 255);
  } catch {
    return null;
  }
}
