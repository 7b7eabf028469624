import { type CorpusEntry, term } from "./entry.ts";

const guidesGroup = [
  "guides/deploy",
  "guides/replace",
  "guides/redirects",
  "guides/search",
  "guides/backups",
  "guides/migrate",
];

const apiGroup = ["api/overview", "api/tokens", "api/errors"];

const conceptsGroup = ["concepts/berths", "concepts/networking", "concepts/access-control", "concepts/secrets"];

const outsideGuides = [
  "index",
  "quickstart",
  "install/linux",
  "install/docker",
  "install/windows",
  ...conceptsGroup,
  "reference/cli",
  "reference/config",
  "reference/environment",
  ...apiGroup,
  "operate/overview",
  "operate/monitoring",
  "operate/upgrade",
  "operate/harbormaster",
  "support/faq",
  "support/troubleshooting",
  "changelog",
  "drafts/roadmap",
];

const matter = (page: string, key: string, value: unknown, rest: Record<string, unknown> = {}) =>
  ["set_front_matter", { page, key, value, ...rest }] as const;

/** Written from the documentation page and the example repository alone, without sight of the grammar or the other corpus. */
export const byAReaderRefused: readonly CorpusEntry[] = [
  { say: ["Add the pages missing from the navigation to it."], calls: [["repair_navigation", { addOrphans: true }]] },
  { say: ["Please run an audit of the docs."], calls: [["audit", {}]] },
  {
    say: [
      'Spring cleaning!\n\n1. Fix broken links\n2. Replace "whitelist" with "allowlist"\n3. Hide the page operate/upgrade\n4. Add missing descriptions',
    ],
    calls: [
      ["fix_links", {}],
      term("whitelist", "allowlist"),
      matter("operate/upgrade", "hidden", true),
      ["add_missing_descriptions", {}],
    ],
  },

  // ---- Either: people differ ----
  { say: ["Change whitelist to allowlist."], either: [[term("whitelist", "allowlist")], "refused"] },
  {
    say: ['Replace "slave" with "replica" in the API docs.'],
    either: [[term("slave", "replica", { in: ["api/"] })], [term("slave", "replica", { in: apiGroup })], "refused"],
  },
  {
    say: ['Replace "worker" with "runner" in the guides.'],
    either: [
      [term("worker", "runner", { in: ["guides/"] })],
      [term("worker", "runner", { in: guidesGroup })],
      "refused",
    ],
  },
  {
    say: ["Fix broken links on all pages."],
    either: [[["fix_links", {}]], [["fix_links", { in: ["**"] }]], "refused"],
  },
  { say: ["Are there any broken links?"], either: [[["check_links", {}]], "refused"] },
  { say: ["plaese fix brokn links"], either: [[["fix_links", {}]], "refused"] },
  { say: ['Repalce "whitelist" with "allowlist" everywhere.'], either: [[term("whitelist", "allowlist")], "refused"] },
  {
    say: ["Fix broken links everywhere except in guides/."],
    either: [[["fix_links", { in: outsideGuides }]], "refused"],
  },
  {
    say: ["The migration guide is obsolete. Remove it and redirect it to the quickstart."],
    either: [[["remove_page", { page: "guides/migrate", redirectTo: "quickstart" }]], "refused"],
  },
  {
    say: ["Point /setup to /install/linux instead of /quickstart."],
    either: [
      [
        ["remove_redirect", { from: "/setup" }],
        ["add_redirect", { from: "/setup", to: "/install/linux" }],
      ],
      [["add_redirect", { from: "/setup", to: "/install/linux" }]],
      "refused",
    ],
  },

  // ---- Refused: outside the chores ----
  {
    say: [
      "Improve the wording of the quickstart.",
      "Fix all typos in guides/.",
      "Translate the FAQ into German.",
      "Summarise the changelog on the introduction page.",
      "Please write a page about autoscaling.",
      "Shorten the Networking page a bit, it is far too long.",
      "Delete the group Advanced.",
      'Create a new group called "Tutorials".',
      "Merge guides/redirects into guides/search.",
      "Split the Configuration page into one page per section.",
      'Move the section "Limits" from guides/search to guides/redirects.',
      "Remove the warning from operate/upgrade.",
      "Change the primary colour to #ff6600.",
      "Convert Tabs to Accordions on install/docker.",
      "Update Harbor to v2.7.",
      "Make every external link open in a new tab.",
      "Sort the pages in Guides alphabetically.",
    ],
    refused: true,
  },
  // ---- Refused: options that no chore carries out ----
  { say: ['Replace "webhook" with "callback" except in tables.'], refused: { names: "tables" } },
  {
    say: [
      'Replace "worker" with "runner" but keep plurals.',
      'Replace the first occurrence of "worker" with "runner" on each page.',
      'Replace "Harbor" with "Harbor Platform" where it means the company.',
      'Replace "service" with "workload" in the first paragraph of the quickstart.',
      "Fix broken links, but only the external ones.",
      "Add a temporary redirect from /promo to /quickstart.",
      "Hide the FAQ until Monday.",
      "Delete the page guides/migrate but keep its section Export.",
      "Add missing descriptions of at most 120 characters.",
    ],
    refused: true,
  },
  // ---- Refused: ambiguous ----
  {
    say: [
      "Hide the overview page.",
      "Delete overview.mdx and redirect it to quickstart.",
      'Remove the section "Limits".',
      "Rename Secrets to Credentials.",
      'Rename "Redirects" to "Redirections".',
      "Delete Tokens.",
      "Move Search to Concepts or Reference.",
      "Replace the disk with a volume or a bucket.",
      'Replace "worker" or "agent" with "runner" or "executor".',
      "Clean up the navigation a little.",
      "Move the page guides/search up.",
    ],
    refused: true,
  },
  // ---- Refused: names that the repository does not have ----
  { say: ["Hide the page operate/monitering."], refused: { names: "operate/monitering" } },
  { say: ['Move the group "Tutorials" after "Guides".'], refused: { names: "Tutorials" } },
  // ---- Refused: negated, conditional, taken back, contradictory ----
  {
    say: [
      'Never replace "Harbor" with "Harbor Cloud".',
      "Do not delete the page drafts/roadmap yet.",
      "If the FAQ is outdated, delete it.",
      "Once 2.7 is out, unhide the page drafts/roadmap.",
      'Replace "whitelist" with "allowlist" unless it is part of a setting.',
      'Maybe rename the group "Operations" to "Run Harbor"?',
      "Fix broken links. Actually no, just forget it.",
      'Replace "worker" with "runner". Wait, let me ask Ana first.',
      'Replace "worker" with "runner". Replace "worker" with "agent".',
      "Hide the page support/faq and delete the page support/faq.",
      "I think someone should add a redirect from /start to /quickstart some day.",
      'Yesterday I replaced "whitelist" with "allowlist" everywhere.',
    ],
    refused: true,
  },
  // ---- Refused: partly outside ----
  {
    say: [
      "Fix broken links and improve the introduction.",
      'Replace "whitelist" with "allowlist" and release 2.7.',
      "Remove the page drafts/roadmap, and tell marketing.",
      "Add missing descriptions and rewrite the boring ones.",
      "Audit the docs and fix everything you find.",
      "- Check links\n- Hide the page operate/upgrade\n- Add a diagram to concepts/networking",
      'Rename the group "Operations" to "Run Harbor" and give it a ship icon.',
    ],
    refused: true,
  },
];
