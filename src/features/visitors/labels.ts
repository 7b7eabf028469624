/** The kinds of labels; the number is stored. */
export const labelKinds = { page: 1, client: 2, referrer: 3, missing: 4 } as const;
export type LabelKind = keyof typeof labelKinds;
/** Kinds with a limit; pages have none, as visitors are counted by them. */
export type CappedKind = Exclude<LabelKind, "page">;

/** Represents every text that has no label of its own. */
export const OTHER_LABEL = "(other)";

/**
 * Facets of `view_tally`; the number is stored. `item` is a label, or a number of the facet's own list. For
 * `verification` the items are clients; `human` counts verified views, `ai` spoofed ones, `other` unverified ones.
 * `pageMonth` is `page` summed by calendar month, under the month's first day.
 */
export const facets = {
  page: 1,
  client: 2,
  surface: 3,
  referrer: 4,
  missing: 5,
  excluded: 6,
  verification: 7,
  pageMonth: 8,
} as const;
export type Facet = keyof typeof facets;

/** `page` of the rows that count the whole site. */
export const WHOLE_SITE = 0;
