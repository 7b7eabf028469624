import type { ClientCategory } from "./agents.ts";
import { sources, surfaces } from "./facts.ts";
import { AI, HUMAN } from "./presence.ts";

/**
 * Version of the rules below and of the agent table. Raise it with every change of either: projects counted by older
 * rules are then counted again from their facts.
 */
export const RULES_VERSION = 1;

/** Why a view does not count; the number is stored. */
export const exclusions = {
  search: 1,
  training: 2,
  other_bot: 3,
  /** Delivered to a browser; the view itself is what the script confirms. */
  unconfirmed: 4,
  /** A program fetched HTML. */
  http_client: 5,
  own_traffic: 6,
  not_found: 7,
  duplicate: 8,
  /** Its delivery was counted, so what its script says is not. */
  counted_on_delivery: 9,
  prefetch: 10,
  shed: 11,
  not_collected: 12,
  too_old: 13,
} as const;
export type Exclusion = keyof typeof exclusions;

/** Those whose views are stored, so that they can be judged again. */
export const factExclusions = ["search", "training", "other_bot", "http_client", "counted_on_delivery"] as const;

/** The class of a view as a mask (HUMAN, AI, or 0) and, for 0, why. */
export type ViewClass = { mask: number; exclusion: Exclusion | null };

const counted = (mask: number): ViewClass => ({ mask, exclusion: null });
const excluded = (exclusion: Exclusion): ViewClass => ({ mask: 0, exclusion });

const COUNTED_HUMAN = counted(HUMAN);
const COUNTED_AI = counted(AI);

/** The class rules of the decisions page, in one place. `source` and `surface` are stored numbers. */
export function classOf(view: { category: ClientCategory; source: number; surface: number }): ViewClass {
  const { category, source } = view;
  if (category === "search" || category === "training" || category === "other_bot") return excluded(category);
  if (view.surface !== surfaces.html) return COUNTED_AI;
  if (category === "assistant") return source === sources.confirmed ? excluded("counted_on_delivery") : COUNTED_AI;
  if (source === sources.served) return excluded(category === "browser" ? "unconfirmed" : "http_client");
  if (category === "http_client") return excluded("http_client");
  return COUNTED_HUMAN;
}
