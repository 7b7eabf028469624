import { type CorpusEntry, type ExpectedCall, term } from "./entry.ts";

const guides = { in: ["guides/"] };
const slotInGuides = term("berth", "slot", guides);
const fixInGuides: ExpectedCall = ["fix_links", guides];
const hideUpgrade: ExpectedCall = ["set_front_matter", { page: "operate/upgrade", key: "hidden", value: true }];

/** Which instructions of one sentence a part of the docs holds for. In front it holds for all; behind the last of several nobody can tell. */
export const scopesOfSeveral: readonly CorpusEntry[] = [
  {
    calls: [slotInGuides, fixInGuides],
    say: [
      'In guides/, replace "berth" with "slot" and then fix broken links',
      'Under guides/, please replace "berth" with "slot", and fix all broken links',
      'For guides/: replace "berth" with "slot" and fix broken links',
      'Replace "berth" with "slot" in guides/ and fix broken links in guides/',
      'In guides/, replace "berth" with "slot". In guides/, fix broken links.',
    ],
  },
  {
    calls: [term("berth", "slot"), fixInGuides],
    say: [
      'Replace "berth" with "slot" everywhere and fix broken links in guides/',
      'Replace "berth" with "slot" in all docs, then fix broken links in guides/',
      'Replace "berth" with "slot". Fix broken links in guides/.',
      '- replace "berth" with "slot"\n- fix broken links in guides/',
    ],
  },
  {
    calls: [term("berth", "slot", { in: ["concepts/"] }), fixInGuides],
    say: [
      'In concepts/, replace "berth" with "slot" and in guides/, fix broken links',
      'Replace "berth" with "slot" in concepts/ and fix broken links in guides/',
    ],
  },
  { calls: [hideUpgrade, fixInGuides], say: ["Hide operate/upgrade and fix broken links in guides/"] },
  {
    calls: [
      ["set_front_matter", { page: "quickstart", key: "title", value: "Start" }],
      ["set_front_matter", { page: "quickstart", key: "hidden", value: true }],
    ],
    say: [
      'On quickstart, set the title to "Start" and hide it',
      'On the page quickstart, set the title to "Start", then hide it',
    ],
  },
  {
    refused: true,
    say: [
      'Replace "berth" with "slot", fix broken links and add missing descriptions in guides/',
      "Check links and add missing descriptions in concepts/",
      'Replace "berth" with "slot" and replace "worker" with "runner" in concepts/',
      'Replace "berth" with "slot" and replace "worker" with "runner", also in code',
      'Replace "berth" with "slot" and replace "worker" with "runner", except in guides/',
      'Fix broken links, replace "berth" with "slot" under guides/ and audit the docs',
      'In guides/, replace "berth" with "slot" and hide operate/upgrade',
      "Hide quickstart and remove its tag in guides/",
      'Replace "berth" with "slot" and fix broken links. Only in guides/.',
      'Replace "berth" with "slot" and fix broken links (in guides/)',
      'In headings, replace "berth" with "slot" and fix broken links',
      'In guides/, replace "berth" with "slot" and repair the navigation',
      'In guides/, replace "berth" with "slot"; fix broken links',
      'On quickstart, set the title to "Start" and hide operate/upgrade',
    ],
  },
];
