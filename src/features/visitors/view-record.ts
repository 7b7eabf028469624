import type { ProjectId } from "#lib/ids.ts";
import { memoize } from "#lib/memoize.ts";
import type { Preference, Source, Surface } from "./facts.ts";

/**
 * A view on its way into the counts, as the journal keeps it for the seconds until it is folded. The only place where
 * an address and a user agent are written down.
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
  /** Host that the reader came from. */
  referrer: string | null;
  /** GPC or DNT was set. */
  isPrivate: boolean;
  /** First-party id, in cookie mode. */
  cookie: string | null;
  /** Repeats of an event count once. */
  event: string | null;
  signatureAgent: string | null;
  /** What its signature says about the sender; missing when there was no signature that could be judged. */
  signature?: SignatureVerdict | null;
  /** The browser fetched ahead of a reader who may never come. */
  isPrefetch: boolean;
  /** The page's script says that a program drives the browser; older scripts and records do not say. */
  isAutomated?: boolean;
  /** A browser asked for it to show it to somebody (`Sec-Fetch-Mode: navigate`); missing where it is not. */
  isNavigation?: boolean;
  /** A confirmation of a page of the own site: its number stands among the pages that were served to browsers. */
  isOfServedPage?: boolean;
}

/** The outcome of checking a signature that was made, or is said to be made, with a key of `operator`. */
export interface SignatureVerdict {
  isValid: boolean;
  operator: string;
}

/** Views that were lost before they could be written: said in the report of what was not counted. */
export interface LossRecord {
  project: ProjectId;
  time: number;
  shed: number;
}

/**
 * Pages that were served to browsers. None is a view before its script confirms it, so only their number is kept:
 * no page, no address, no user agent.
 */
export interface ServedPagesRecord {
  project: ProjectId;
  /** When the first of them was served, on the same UTC day as the others. */
  time: number;
  /** How many; the journals of earlier versions have the number under this name. */
  delivered: number;
  isPrivate: boolean;
  isPrefetch: boolean;
  /** Not served to a browser but kept out of the counts, because its address asks for too much. */
  isFlood?: boolean;
}

export type JournalRecord = ViewRecord | LossRecord | ServedPagesRecord;

export const MAX_PATH_LENGTH = 1_024;

/** A page's path without query, fragment, Markdown extension, index and trailing slash; null when it is no path. */
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
  if (/\p{Cc}/u.test(path)) return null; // no label holds a control character
  path = path.normalize("NFC").replaceAll(/\/{2,}/g, "/");
  path = path
    .replace(/\.(?:md|mdx|markdown)$/i, "")
    .replace(/\/index$/, "/")
    .replace(/(?<=.)\/$/, "");
  return path === "" ? "/" : path;
}

/** What a request's `Accept` prefers. No browser names Markdown; coding agents do. */
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

/** Host of a referring address, without `www.`; null when it has none, or is of the site at `ownAddress` itself. */
export function referrerHost(referrer: string | null, ownAddress: string | null = null): string | null {
  const host = siteHost(referrer);
  return host === null || host === siteHost(ownAddress) ? null : host;
}

function siteHost(address: string | null): string | null {
  if (!address) return null;
  try {
    const { hostname } = new URL(address); // of an Android app, `android-app://com.example`, its name
    return hostname === "" ? null : hostname.replace(/^www\./, "").slice(0, 255);
  } catch {
    return null;
  }
}
