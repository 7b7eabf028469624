import type { ClientCategory } from "./agents.ts";
import type { Source, Surface } from "#features/visitors/facts.ts";
import { AI, HUMAN } from "#features/visitors/presence.ts";

/**
 * Version of how counts are made of facts. Raise it when counts made before are wrong: the projects are then counted
 * again from their facts. A change of the class rules below is no reason: the class of a view is part of its fact.
 */
export const RULES_VERSION = 1;

/** Why a view does not count; the number is stored. */
export const exclusions = {
  search: 1,
  training: 2,
  other_bot: 3,
  /** Served to a browser, and no script has confirmed it: served pages less confirmed views. */
  unconfirmed: 4,
  /** A program fetched HTML. */
  http_client: 5,
  own_traffic: 6,
  not_found: 7,
  duplicate: 8,
  /** It was counted when the page was served, so what its script says is not. */
  counted_when_served: 9,
  prefetch: 10,
  shed: 11,
  not_collected: 12,
  too_old: 13,
  /** Its address or its signature contradicts the agent that it names. */
  spoofed: 14,
  /** The browser said that a program drives it. */
  automated: 15,
  /** More came from one address in a minute than is believed. */
  flood: 16,
} as const;
export type Exclusion = keyof typeof exclusions;

/**
 * What a stored view counts as; the number is stored with it (four bits). What stands beside human and ai says why the
 * view counts in neither.
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

/** The reasons that come with a stored view; a count of the others cannot be made again from facts. */
export const factExclusions = classNames.filter((name) => name !== "human" && name !== "ai");

/** The class that a fact was stored with. */
export function storedClass(number: number): ViewClass {
  const name = classesByNumber.get(number);
  if (name === undefined) throw new Error(`a stored view has the unknown class ${number}`);
  return name;
}

/** What a class adds to: HUMAN, AI, or 0. */
export const maskOf = (viewClass: ViewClass | Exclusion): number =>
  viewClass === "human" ? HUMAN : viewClass === "ai" ? AI : 0;

/** Why a view of the class counts in neither, null for one that counts. */
export const exclusionOf = (viewClass: ViewClass | "unconfirmed"): Exclusion | null =>
  viewClass === "human" || viewClass === "ai" ? null : viewClass;

export interface ClassifiedView {
  category: ClientCategory;
  source: Source;
  surface: Surface;
  isSpoofed: boolean;
  /** The page's script says that a program drives the browser. */
  isAutomated: boolean;
  /** A browser asked for it to show it to somebody (`Sec-Fetch-Mode: navigate`). */
  isNavigation: boolean;
}

/** The class rules, in one place. "unconfirmed" is a page given to a browser: no view yet, and nothing is stored. */
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
