import { type CorpusEntry, term } from "./entry.ts";

/** Forms that look like a chore and mean another one, or none: each beside its neighbour that means one. */
export const wordsWithTwoReadings: readonly CorpusEntry[] = [
  {
    say: [
      // What was called so is called otherwise now.
      '"Harbor" was known as "Dockhand"',
      '"Harbor Platform" was called "Harbor Cloud"',
      '"Berths" got called "slots"',
      // Told, not asked for.
      '"service" was replaced by "app"',
      '"service" is now called "app"',
      '"service" has been renamed to "app"',
      '"service" got renamed to "app"',
    ],
    refused: true,
  },
  {
    say: [
      '"service" is now called "app". Please update all mentions.',
      '"service" has been renamed to "app", update all references',
      '"service" was renamed to "app", please update all mentions',
    ],
    calls: [term("service", "app")],
  },
  {
    say: [
      'Replace "service" with "app", also plurals, but keep "services"',
      'Replace "service" with "app", including plurals, and leave "services" alone',
      'Replace "service" with "app" everywhere, skip guides/ and api/ but not api/tokens',
    ],
    refused: true,
  },
  {
    say: ['Replace "hook" with "callback", plurals included, but keep "webhooks"'],
    calls: [term("hook", "callback", { plural: true })],
  },
  {
    say: [
      'Swap "service" with "worker" in guides/',
      'Exchange "service" with "worker" everywhere',
      'Write "service" to "quickstart"',
      'Write "Welcome" to "quickstart.mdx"',
      "Replace commas with semicolons everywhere",
      "Replace hyphens with dashes everywhere",
      "Replace capitals with lowercase everywhere",
    ],
    refused: true,
  },
  {
    say: ['Swap "service" for "worker" in guides/', 'Exchange "service" for "worker" in guides/'],
    calls: [term("service", "worker", { in: ["guides/"] })],
  },
  {
    say: ['Replace "," with ";" in guides/'],
    calls: [term(",", ";", { in: ["guides/"] })],
  },
  {
    say: [
      'Set "Install" to "Setup" on the page quickstart',
      'Set heading to "Hello" on quickstart',
      'Set text to "Hello" on quickstart',
      'Set everything to "Hello" on quickstart',
      'Set "Harbor" to "Dock" in guides/',
      "Set the icon of quickstart to empty",
      "Change the icon of quickstart to something",
      "Change the tag of quickstart to lowercase",
      "Set the tag of quickstart to unchanged",
    ],
    refused: true,
  },
  {
    say: ['Set layout to "wide" on quickstart', 'Set the key layout to "wide" on quickstart'],
    calls: [["set_front_matter", { page: "quickstart", key: "layout", value: "wide" }]],
  },
  {
    say: ["Set hidden to false on quickstart"],
    calls: [["set_front_matter", { page: "quickstart", key: "hidden", value: null }]],
  },
  {
    say: ["Remove the redirect from /setup and from /help"],
    calls: [
      ["remove_redirect", { from: "/setup" }],
      ["remove_redirect", { from: "/help" }],
    ],
  },
  {
    say: ["Move guides/deploy to start/deploy, update the links, without a redirect"],
    calls: [["move_page", { page: "guides/deploy", to: "start/deploy", redirect: false }]],
  },
  { say: ['Replace "service" with "app" and update the links'], refused: true },
  {
    say: ['Replace "service" with "app" except in guides/ and in api/'],
    calls: [term("service", "app", { except: ["guides/", "api/"] })],
  },
  {
    say: ['Replace "service" and "worker" with "app" and "runner"'],
    calls: [term("service", "app"), term("worker", "runner")],
  },
  {
    say: ["Move the page guides/deploy from the group Guides to the group Concepts"],
    calls: [["move_page", { page: "guides/deploy", group: "Concepts" }]],
  },
  { say: ["Move the page guides/deploy from the group API to the group Concepts"], refused: true },
  { say: ['Use "-" instead of "-" as list markers', "change headings from title case to title case"], refused: true },
  {
    say: ['Add a section titled "Limits" to the page quickstart with the text "None." after "Install"'],
    calls: [["add_section", { page: "quickstart", title: "Limits", text: "None.", after: "Install" }]],
  },
  {
    say: ['Add a note to guides/deploy with the text "One." below "Prerequisites"'],
    calls: [["add_callout", { page: "guides/deploy", kind: "note", text: "One.", section: "Prerequisites" }]],
  },
];
