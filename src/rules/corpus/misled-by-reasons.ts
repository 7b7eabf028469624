import { type CorpusEntry, term } from "./entry.ts";

/** Reasons behind a request that are about another thing, and more of what may be a place, a word or a value. */
export const misledByReasons: readonly CorpusEntry[] = [
  {
    refused: true,
    say: [
      "Add a changelog entry for 2.7.0 from the git history since 2.6.0 was released",
      "Add a changelog entry from the git history since v2.6.0 is out",
      "Remove the page install/linux because nobody uses Windows any more.",
      "Remove install/linux - nobody uses Windows any more",
      "Delete api/tokens since nobody uses Windows",
      "Hide install/linux, since nobody installs on Windows",
      'Set the tag of concepts/secrets to "Deprecated" since Secrets is stable',
      'Set the tag of install/windows to "Supported" because we dropped Windows.',
      "Add a redirect from /help2 to /support/faq because /support/faq gives a 404",
      'We\'re called Harbor now, so replace "Harbor Cloud" with "Harbor Platform".',
      'We are called Harbor. Replace "Harbor" with "Harbor Cloud".',
      'We\'re called Harbor Cloud Platform. Replace "Harbor Cloud" with "Harbor Platform".',
      "Check links but don't change anything in guides/",
      "Check links, and change nothing in api/",
      "Check all links and do not fix them in api/",
      "Tell me which links are broken, but don't change anything in guides/",
      'Replace "token" with "key" skipping guides/, and in api/',
      'Replace "token" with "key", skip guides/ and in api/',
      'Replace "token" with "key" without touching guides/, and in api/',
      'Replace "token" with "key" everywhere, don\'t touch concepts/, and on quickstart',
      'Replace "monitor" with "watch" as part of other words, but not in "Monitoring"',
      'Replace "network" with "net", also inside longer words, not in "Networking"',
      'Replace "network" with "net" as part of other words but not Networking',
      'Replace "Harbor" with "Port" but not in "Harbormaster"',
      'Set the icon of all pages in api/ to "key", not "errors"',
      'Set the tag of every page to "Beta", not "Changelog"',
      "For reference: fix broken links",
      'For reference: replace "berth" with "slot"',
      'Put quickstart into the group "API" too',
      'Move quickstart to the group "API" as well',
    ],
  },
  { refused: { names: "may be the page" }, say: ['Replace "Limits" with "Quotas" everywhere except "Deploy"'] },
  // Lists and exceptions that stay clear.
  {
    calls: [term("token", "key", { except: ["guides/", "api/", "reference/"] })],
    say: [
      'Replace "token" with "key" except in guides/, api/, and reference/',
      'Replace "token" with "key" except in guides/, in api/, and in reference/',
    ],
  },
  {
    calls: [term("token", "key", { except: ["quickstart", "index", "api/"] })],
    say: ['Replace "token" with "key" except on quickstart, on index and in api/'],
  },
  {
    calls: [term("token", "key", { in: ["guides/", "concepts/"], except: ["changelog"] })],
    say: ['Replace "token" with "key" in guides/ and concepts/, but leave the changelog alone'],
  },
  {
    calls: [term("token", "key", { in: ["guides/", "concepts/"], except: ["drafts/"] })],
    say: ['Replace "token" with "key" in guides/ and concepts/, but not in drafts/'],
  },
  {
    calls: [["set_front_matter", { in: ["api/"], key: "tag", value: "Beta", except: ["index"] }]],
    say: ['Set the tag of all pages in api/ to "Beta", but leave index alone'],
  },
  {
    calls: [["add_callout", { page: "quickstart", kind: "note", text: "You can name it whatever you like." }]],
    say: ["Add a note to quickstart with the text: You can name it whatever you like."],
  },
  {
    calls: [
      ["add_callout", { page: "quickstart", kind: "note", text: "If you are stuck, feel free to ask on Slack." }],
    ],
    say: ["Add a note to quickstart with the text: If you are stuck, feel free to ask on Slack."],
  },
  { calls: [["check_links", { in: ["guides/"] }]], say: ["Check links in guides/, but don't change anything"] },
];
