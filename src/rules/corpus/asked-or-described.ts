import type { CorpusEntry, ExpectedCall } from "./entry.ts";

const hide: ExpectedCall = ["set_front_matter", { page: "quickstart", key: "hidden", value: true }];
const note = (text: string): ExpectedCall => ["add_callout", { page: "quickstart", kind: "note", text }];

/** Questions, which are never carried out, beside polite requests; and what tells of a text, beside texts. */
export const askedOrDescribed: readonly CorpusEntry[] = [
  {
    refused: true,
    say: [
      "Will we hide the page quickstart?",
      "Would we hide the page quickstart?",
      "Can anyone hide the page quickstart?",
      "Could anybody please hide the page quickstart?",
      "Should we hide the page quickstart?",
      "Did somebody hide the page quickstart?",
      "Hide the page quickstart?!",
      "Hide the page quickstart (right?)",
      'Replace "berth" with "slot". Also in guides/?',
      'Replace "berth" with "slot" in guides/? or in concepts/',
      "Is it time? Hide the page quickstart?",
      "Shall we:\n- hide the page quickstart?",
    ],
  },
  {
    calls: [hide],
    say: [
      "Could you hide the page quickstart?",
      "Can we hide the page quickstart, please?",
      "Would you please hide the page quickstart?",
      "Could someone hide the page quickstart?",
      "Hide the page quickstart, please?",
    ],
  },
  {
    refused: true,
    say: [
      "Add a note to quickstart with the text: something nice about berths",
      "Add a note to quickstart with the text: a brief summary of the page",
      "Add a note to quickstart with the text: the same text as on install/linux",
      "Add a note to quickstart with the text: two or three sentences on berths",
      "Add a note to quickstart with the text: some words about accounts",
      "Add a note to quickstart with the text: an explanation of why one needs an account",
      "Add a note to quickstart with the text: how to get an account",
      "Add a note to quickstart with the text: what you think fits best",
      "Add a note to quickstart with the text: TBD",
    ],
  },
  { calls: [note("A berth is where a service runs.")], say: ["Add a note to quickstart with the text: A berth is where a service runs."] },
  { calls: [note("Some services need two berths.")], say: ["Add a note to quickstart with the text: Some services need two berths."] },
  { calls: [note("The same rules hold for workers.")], say: ["Add a note to quickstart with the text: The same rules hold for workers."] },
  { calls: [note("something about berths")], say: ['Add a note to quickstart with the text: "something about berths"'] },
  { calls: [note("Two berths are free.")], say: ["Add a note to quickstart with the text: Two berths are free."] },
  { calls: [note("What you need: an account.")], say: ["Add a note to quickstart with the text:\n```\nWhat you need: an account.\n```"] },
]; // oxfmt-ignore
