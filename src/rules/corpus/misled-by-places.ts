import { type CorpusEntry, term } from "./entry.ts";

/** Which place is meant, where a sentence names several: an exception and a place, a list and its item, a page and a word. */
export const misledByPlaces: readonly CorpusEntry[] = [
  // A place of a list, and one of its item: the item holds to one of them.
  {
    refused: true,
    say: [
      'In guides/:\n1. replace "berth" with "slot"\n2. in api/, replace "worker" with "runner"',
      'In guides/:\n- on quickstart, replace "berth" with "slot"',
      'In guides/:\n- in the group "API", replace "berth" with "slot"',
      "On quickstart:\n- in api/, fix broken links",
      'On quickstart: in api/, replace "berth" with "slot"',
      'In guides/: in api/ replace "berth" with "slot"',
      'In guides/. In api/, replace "berth" with "slot".',
      "In guides/:\n- add missing descriptions\n- in api/, add missing descriptions",
      'In guides/, in api/, replace "berth" with "slot"',
      'Except in guides/:\n- in api/, replace "berth" with "slot"',
    ],
  },
  // A place behind an exception: one more exception, or where to change?
  {
    refused: true,
    say: [
      'Replace "Limit" with "Quota" in guides/ except guides/search, and in api/',
      'Replace "token" with "key" in concepts/ except concepts/secrets, and in api/',
      'Replace "token" with "key" in concepts/ except concepts/secrets and on quickstart',
      'Replace "token" with "key" in concepts/, not concepts/secrets, and in api/',
      'Replace "token" with "key" in concepts/ but not concepts/secrets, api/',
      'Replace "token" with "key" outside concepts/, and in api/',
      'Replace "token" with "key" outside concepts/, in api/',
      'Replace "token" with "key" everywhere except concepts/, and on quickstart',
      'Replace "token" with "key" except concepts/; in api/',
      "Hide all pages in concepts/ except concepts/secrets, and in api/",
      "Hide all pages in concepts/ except concepts/secrets, and index",
      'Set the tag of all pages in concepts/ to "x" except concepts/secrets, and api/',
      'Replace "Limit" with "Quota", skip guides/, not api/',
      'Replace "token" with "key", skip concepts/, not api/',
      'Replace "token" with "key" except in concepts/, not api/',
    ],
  },
  // A word to spare, or the page of that title?
  {
    refused: true,
    say: [
      'Replace "monitor" with "watch" as part of other words, not "Monitoring"',
      'Replace "network" with "net" as part of other words except "Networking"',
      'Replace "Harbor" with "Port" but not "Harbormaster"',
      'Replace "Harbor" with "Port" except for "Harbormaster"',
      'Replace "Harbor" with "Port", excluding "Harbormaster"',
      'Replace "Harbor" with "Port", though not "Harbormaster"',
      'Replace "Harbor" with "Port" and not "Harbormaster"',
      'Use "Port", not "Harbor", except "Harbormaster"',
      'Use "Port" instead of "Harbor", not "Harbormaster"',
      'Replace "Harbor" with "Port" except for "Upgrade Harbor"',
      'Replace "token" with "key" but not "Tokens"',
      'Replace "error" with "failure", not "Errors"',
      'Replace "secret" with "credential" apart from "Secrets"',
      'Replace "access token" with "token", except "Tokens"',
    ],
  },
  // What it shall not be replaced with.
  {
    refused: true,
    say: [
      'Replace "access token" with "API key" not "Tokens"',
      'Replace "access token" with "API key", not "Tokens"',
      'Replace "access token" with "API key" (not "Tokens")',
      'Replace "berth" with "slot" (not "Berths")',
      'Replace "berth" with "slot" - not "Berths"',
      'Replace "berth" with "slot" not "mooring"',
      'Replace "berth" with "slot" (not "mooring")',
      'Use "slot", not "berth", not "mooring"',
    ],
  },
  // A text for each page.
  {
    refused: true,
    say: [
      'Add a tip to quickstart: "Search" and index: "Redirects"',
      'Add a tip to api/tokens: "Errors" and api/errors: "Tokens"',
      'Add a tip to quickstart: "A" and index: "B"',
      'Add a note to quickstart: "A", index: "B"',
      'Add a note to quickstart: "Tokens": "B"',
      'Set the tag of quickstart: "Tokens" and index: "B"',
      'Set the icon of quickstart: "Search" and index: "Redirects"',
      'Set the tag of quickstart: "Search", index: "Redirects"',
    ],
  },
  // A heading, or the group of the navigation?
  { refused: true, say: ['Set the title of the section "Limits" to "x"'] },
  // Where another group lists the page, the chore refuses: whether it leaves that one is not said.
  {
    say: ['Add the page quickstart to the group "API"', 'Also add quickstart to the group "API".'],
    calls: [["move_page", { page: "quickstart", group: "API", add: true }]],
  },
  {
    say: ['Use "-" instead of "+" for lists', 'List markers should be "-", not "+".'],
    calls: [["normalise_style", { listMarker: "-", insteadOf: "+" }]],
  },
  {
    say: ['Use "-" instead of "*" for list markers'],
    calls: [["normalise_style", { listMarker: "-", insteadOf: "*" }]],
  },
  // A second place in the navigation, which is not built.
  { refused: true, say: ['Add the page quickstart to the group "API" too'] },
  // In the code of headings, or in all code as well?
  {
    refused: true,
    say: [
      'Replace "Limits" with "Quotas" in headings, also in code',
      'Replace "token" with "key" in headings, in code too',
      'Replace "token" with "key" in headings including code',
      'Replace "token" with "key" in page titles, also in code',
      'Replace "token" with "key" in page titles, code included',
    ],
  },
  // One page, of which nobody says which.
  {
    refused: true,
    say: [
      'Set the tag of the page in api/ to "Beta"',
      'Set the icon of the page in concepts/ to "x"',
      "Remove the tag from the page in concepts/",
      "Hide the page in drafts/",
    ],
  },
  // What is said to us beside a text, or stands in its place.
  {
    refused: true,
    say: [
      "Add a note to quickstart with the text: The API is in beta. Needs review by legal.",
      "Add a note to quickstart with the text: The API is in beta. With a link to index.",
      "Add a note to quickstart with the text: The API is in beta. We should also update the diagram.",
      'Add a note to quickstart with the text: The API is in beta. "beta" should link to /beta.',
      "Add a note to quickstart with the text: The API is in beta. It can go after the launch.",
      "Add a note to quickstart with the text: The API is in beta. The note disappears in June.",
      "Add a note to quickstart with the text: The API is in beta - feel free to reword.",
      "Add a note to quickstart with the text: The API is in beta, whatever you think fits.",
      "Add a note to quickstart with the text: The API is in beta (same on index).",
      "Add a note to quickstart with the text: The API is in beta. -- Bob",
      "Add a note to quickstart with the text: Like index.",
      "Add a note to quickstart with the text: <text from Jira>.",
      "Add a note to quickstart with the text: {{text}}.",
      "Add a note to quickstart with the text: $TEXT.",
      "Add a note to quickstart with the text: …",
    ],
  },
  // A word to the reader, not a folder.
  { refused: true, say: ["For reference, fix broken links", 'For reference, replace "berth" with "slot"'] },
  // No value: it says what to look for, or that nothing is decided.
  {
    refused: true,
    say: [
      "Set the icon of quickstart to random",
      "Set the icon of quickstart to similar",
      "Set the icon of quickstart to missing",
      "Set the icon of quickstart to hide",
      "Set the tag of quickstart to removed",
      "Set the tag of quickstart to original",
      "Set the tag of quickstart to TBD",
      "Set the tag of quickstart to today",
      "Rename the page Search to TBD",
      "Rename the page Search to TODO",
      "Rename the page Search to Undecided",
      "Rename the page quickstart to Something",
      "Rename the page Search to Find Only",
      "Rename the page Search to Find Again",
      "Rename the page Search to Find Tomorrow",
      "Rename the page Search to Find Later",
    ],
  },
  // A sign is no glossary.
  { refused: true, say: ['Use "-" and "*" as list markers', 'Use "guides/search" and "*" as list markers', 'Use "-"'] },
  // Redirects are another thing.
  { refused: true, say: ["Fix links and redirects"] },
  // What has no verb of its own may go on with the place before it.
  {
    refused: true,
    say: [
      'Use "+" as list markers in reference/ and title case for headings',
      'Use sentence case for headings in guides/ and "-" as list markers',
    ],
  },
  // Exceptions that go on with their own kind.
  {
    calls: [term("token", "key", { except: ["concepts/", "api/"] })],
    say: [
      'Replace "token" with "key" except in concepts/ and in api/',
      'Replace "token" with "key" everywhere except concepts/ and api/',
      'Replace "token" with "key", but not in concepts/ or in api/',
    ],
  },
  {
    calls: [term("token", "key", { except: ["Secrets"] })],
    say: ['Replace "token" with "key" except on "Secrets"', 'Replace "token" with "key" except on the page "Secrets"'],
  },
  {
    calls: [term("token", "key", { in: ["concepts/", "api/"] })],
    say: ['In concepts/ and in api/, replace "token" with "key"'],
  },
];
