import { monthStart } from "#features/visitors/day.ts";
import { type Fact, verifications } from "#features/visitors/facts.ts";
import { type Facet, facets } from "#features/visitors/labels.ts";
import type { TallyRow } from "./index-store.ts";
import { AI, HUMAN } from "#features/visitors/presence.ts";
import { type Exclusion, exclusionOf, exclusions, maskOf, storedClass } from "#features/visitors/clients/rules.ts";

/** Collects view counts by day and facet. */
export interface Tally {
  add(facet: Facet, day: number, item: number, mask: number): void;
  exclude(exclusion: Exclusion, day: number, views?: number): void;
  rows(): TallyRow[];
}

// A numeric key costs a fifth of a string. 65,536 days of 16 facets of 2 ** 31 items are 2 ** 51 keys.
const FACETS = 16;
const ITEMS = 2 ** 31;

export function createTally(): Tally {
  const rows = new Map<number, TallyRow>();
  const rowOf = (facet: Facet, day: number, item: number): TallyRow => {
    const key = (day * FACETS + facets[facet]) * ITEMS + item;
    let row = rows.get(key);
    if (!row) rows.set(key, (row = { facet: facets[facet], day, item, human: 0, ai: 0, other: 0 }));
    return row;
  };
  return {
    add(facet, day, item, mask) {
      const row = rowOf(facet, day, item);
      if (mask === 0) row.other++;
      else if (mask === HUMAN) row.human++;
      else row.ai++;
    },
    exclude(exclusion, day, views = 1) {
      rowOf("excluded", day, exclusions[exclusion]).other += views;
    },
    rows: () => [...rows.values()].sort((a, b) => a.facet - b.facet || a.day - b.day || a.item - b.item),
  };
}

/** Counts one stored view in all its facets, by its stored class. */
export function tallyView(tally: Tally, { day, fact }: { day: number; fact: Fact }): void {
  const viewClass = storedClass(fact.viewClass);
  const mask = maskOf(viewClass);
  const exclusion = exclusionOf(viewClass);
  if (exclusion !== null) tally.exclude(exclusion, day);
  tally.add("client", day, fact.client, mask);
  if (fact.verification === verifications.verified) tally.add("verification", day, fact.client, HUMAN);
  else if (fact.verification === verifications.spoofed) tally.add("verification", day, fact.client, AI);
  else if (fact.verification === verifications.unverified) tally.add("verification", day, fact.client, 0);
  if (mask === 0) return;
  tally.add("page", day, fact.page, mask);
  tally.add("pageMonth", monthStart(day), fact.page, mask);
  tally.add("surface", day, fact.surface, mask);
  tally.add("referrer", day, fact.referrer, mask);
}
