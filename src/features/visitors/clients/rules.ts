import type { ClientCategory } from "./agents.ts";
import type { Source, Surface } from "#features/visitors/facts.ts";
import { AI, HUMAN } from "#features/visitors/presence.ts";

/**
 * Version of how counts are derived from facts. Increment it when existing counts are wrong: all projects are then
 * recounted from their facts. A change of the class rules below needs no increment: the class of a view is part of its
 * fact.
 */
export const RULES_VERSION = 1;

/** Why a view does not count; the number is stored. */
export const exclusions = {
  search: 1,
  training: 2,
  other_bot: 3,
  /** Served to a browser, and not confirmed by a script: served pages minus confirmed views. */
  unconfirmed: 4,
  /** A program fetched HTML. */
  http_client: 5,
  own_traffic: 6,
  not_found: 7,
  duplicate: 8,
  /** It was counted when the page was served, so its script's message is not. */
  counted_when_served: 9,
  prefetch: 10,
  shed: 11,
  not_collected: 12,
  too_old: 13,
  /** Its address or its signature contradicts the agent that it claims to be. */
  spoofed: 14,
  /** The browser reported that a program controls it. */
  automated: 15,
  /** More than the limit came from one address in a minute. */
  flood: 16,
} as const;
export type Exclusion = keyof typeof exclusions;

/**
 * The class of a stored view; the number is stored with it (four bits). Classes other than human and ai say why the
 * view counts as neither.
 */
export const viewClasses = {
  human: 1,
  ai: 2,
  search: 3,
  training: 4,
  other_bot: 5,
  http_client: 6,
  counted_when_served: 7,
  spoofed: 8,
  automated: 9,
} as const;
export type ViewClass = keyof typeof viewClasses;

const classNames = Object.keys(viewClasses) as ViewClass[];
const classesByNumber = new Map<number, ViewClass>(classNames.map((name) => [viewClasses[name], name]));

/** The reasons that are stored with a view; counts of the others cannot be derived from facts again. */
export const factExclusions = classNames.filter((name) => name !== "human" && name !== "ai");

/** The class that a fact was stored with. */
export function storedClass(number: number): ViewClass {
  const name = classesByNumber.get(number);
  if (name === undefined) throw new Error(`a stored view has the unknown class ${number}`);
  return name;
}

/** The counts that a class adds to: HUMAN, AI, or 0. */
export const maskOf = (viewClass: ViewClass | Exclusion): number =>
  viewClass === "human" ? HUMAN : viewClass === "ai" ? AI : 0;

/** Why a view of the class does not count; null for one that counts. */
export const exclusionOf = (viewClass: ViewClass | "unconfirmed"): Exclusion | null =>
  viewClass === "human" || viewClass === "ai" ? null : viewClass;

export interface ClassifiedView {
  category: ClientCategory;
  source: Source;
  surface: Surface;
  isSpoofed: boolean;
  /** The page's script reports an automated browser. */
  isAutomated: boolean;
  /** A browser requested it to display it (`Sec-Fetch-Mode: navigate`). */
  isNavigation: boolean;
}

/**
 * The class rules, all in one place. "unconfirmed" is a page that was sent to a browser: it is not a view yet, and
 * nothing is stored.
 */
export function classOf(view: ClassifiedView): ViewClass | "unconfirmed" {
  const { category, source } = view;
  if (view.isSpoofed) return "spoofed";
  if (category === "search" || category === "training" || category === "other_bot") return category;
  if (view.surface !== "html") return category === "browser" && view.isNavigation ? "human" : "ai";
  if (category === "assistant") return source === "confirmed" ? "counted_when_served" : "ai";
  if (source === "served") return category === "browser" ? "unconfirmed" : "http_client";
  if (category === "http_client") return "http_client";
  return view.isAutomated ? "automated" : "human";
}
