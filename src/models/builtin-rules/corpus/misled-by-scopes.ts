import { type CorpusEntry, term } from "./entry.ts";

const guides = { in: ["guides/"] };

/** Which words a restriction, an exception or an order belongs to. Whoever takes the nearest changes what was to be spared. */
export const misledByScopes: readonly CorpusEntry[] = [
  {
    refused: true,
    say: [
      'Replace "webhook" with "callback", but leave code blocks in guides/ alone',
      'Replace "webhook" with "callback" but not in code in guides/',
      'Replace "webhook" with "callback", do not change URLs in guides/',
      'Replace "webhook" with "callback" except in code and in guides/',
      'Replace "webhook" with "callback", but not in code blocks and on the FAQ page',
      'Replace "webhook" with "callback", not in URLs and in guides/',
      'Replace "Limits" with "Quotas" except in guides/ and in headings',
      'Replace "Limits" with "Quotas" everywhere except in the changelog and in page titles',
      'Replace "webhook" with "callback" except in code and in headings',
      'Except in code and in guides/, replace "webhook" with "callback"',
      'Replace "webhook" with "callback" except in guides/, in code too',
      'Replace "Limits" with "Quotas" in headings and in guides/',
      'Replace "webhook" with "callback" in guides/, api/ and in headings',
      'Replace "Limits" with "Quotas" everywhere and in headings',
      'Replace "webhook" with "callback", but in guides/ only in headings',
      'Replace "webhook" with "callback", but in api/ case-sensitive',
      'Replace "webhook" with "callback", and in guides/ also in code',
      'Replace "webhook" with "callback", also in code in guides/',
      'Replace "webhook" with "callback", also in inline code',
      'Replace "webhook" with "callback" in inline code too',
    ],
  },
  {
    calls: [term("webhook", "callback", { ...guides, includeCode: false })],
    say: [
      'In guides/, replace "webhook" with "callback", not in code',
      'Replace "webhook" with "callback" in guides/, but not in code',
      'Replace "webhook" with "callback", not in code, but only in guides/',
      'Not in code blocks, replace "webhook" with "callback" in guides/',
    ],
  },
  { calls: [term("webhook", "callback", { ...guides, includeCode: true })], say: ['Replace "webhook" with "callback" in guides/, also in code'] },
];
