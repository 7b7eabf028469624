import { type CorpusEntry, term } from "./entry.ts";

const conceptsGroup = ["concepts/berths", "concepts/networking", "concepts/access-control", "concepts/secrets"];

/** Written from the documentation page and the example repository alone, without sight of the grammar or the other corpus. */
export const byAReader: readonly CorpusEntry[] = [
  // ---- Terms: inside ----
  {
    say: [
      'Please replace "whitelist" with "allowlist" everywhere.',
      'Can you replace "whitelist" with "allowlist" across the docs? Thanks!',
      'Hey, could you please swap "whitelist" for "allowlist" in all docs',
      "Legal asked us to stop using the old word. Please replace “whitelist” with “allowlist” everywhere.",
      "change all mentions of whitelist to allowlist",
      "Replace the term 'whitelist' by 'allowlist' on every page.",
    ],
    calls: [term("whitelist", "allowlist")],
  },
  { say: ['docs: replace "whitelist" with "allowlist"'], either: [[term("whitelist", "allowlist")], "refused"] },
  {
    say: [
      "Rename the product Harbor Cloud to Harbor Platform.",
      'We rebranded last week. Rename "Harbor Cloud" to "Harbor Platform" in the whole documentation.',
    ],
    calls: [term("Harbor Cloud", "Harbor Platform")],
  },
  {
    say: [
      'In concepts/, please use "workload" instead of "service".',
      'replace "service" with "workload", but only in concepts/',
    ],
    calls: [term("service", "workload", { in: ["concepts/"] })],
  },
  {
    say: [
      'Replace "control plane" with "controller" and "data plane" with "runner" in operate/.',
      'In operate/:\n- replace "control plane" with "controller"\n- replace "data plane" with "runner"',
    ],
    calls: [
      term("control plane", "controller", { in: ["operate/"] }),
      term("data plane", "runner", { in: ["operate/"] }),
    ],
  },
  {
    say: [
      'Replace "dashboard" with "console" on the FAQ page.',
      'Swap "dashboard" for "console" in `support/faq.mdx` please',
    ],
    calls: [term("dashboard", "console", { in: ["support/faq"] })],
  },
  {
    say: ['Replace "dashboard" with "console" on the quickstart and the FAQ.'],
    calls: [term("dashboard", "console", { in: ["quickstart", "support/faq"] })],
  },
  {
    say: [
      'Except in the changelog, replace "access token" with "API key".',
      'Use "API key" instead of "access token" everywhere, but leave the changelog alone.',
    ],
    calls: [term("access token", "API key", { except: ["changelog"] })],
  },
  {
    say: ['Replace "access token" with "API key" everywhere except in guides/ and reference/.'],
    calls: [term("access token", "API key", { except: ["guides/", "reference/"] })],
  },
  {
    say: ['Replace "worker" with "runner" in guides/ except in guides/advanced/.'],
    calls: [term("worker", "runner", { in: ["guides/"], except: ["guides/advanced/"] })],
  },
  {
    say: ['Replace "webhook" with "callback", also in code.'],
    calls: [term("webhook", "callback", { includeCode: true })],
  },
  {
    say: ['Replace "harbormaster" with "Harbor Pilot", ignoring case.'],
    calls: [term("harbormaster", "Harbor Pilot", { letterCase: "any" })],
  },
  {
    say: ['Replace "heartbeat" with "health check", case-sensitive.'],
    calls: [term("heartbeat", "health check", { letterCase: "exact" })],
  },
  {
    say: ['Replace "config" with "configuration" as part of other words.'],
    calls: [term("config", "configuration", { wholeWord: false })],
  },
  {
    say: ['In headings only, replace "Limits" with "Quotas".'],
    calls: [term("Limits", "Quotas", { only: "headings" })],
  },
  { say: ['Replace "Install" with "Set up" in page titles.'], calls: [term("Install", "Set up", { only: "titles" })] },
  {
    say: ['Replace "webhook" with "callback", not in code or URLs.'],
    either: [[term("webhook", "callback")], [term("webhook", "callback", { includeCode: false })]],
  },
  {
    say: ['In "install/*.mdx", replace "sudo apt-get" with "sudo apt".'],
    calls: [term("sudo apt-get", "sudo apt", { in: ["install/*.mdx"] })],
  },
  {
    say: ['In the group "Concepts", replace "berth" with "slot".'],
    either: [[term("berth", "slot", { in: conceptsGroup })], [term("berth", "slot", { in: ["concepts/"] })]],
  },
  {
    say: ['Someone misspelled it all over the place. Replace "recieve" with "receive" and "occured" with "occurred".'],
    calls: [term("recieve", "receive"), term("occured", "occurred")],
  },
  {
    say: ["please apply the glossary glossary.yaml to the docs"],
    calls: [["normalise_style", { glossary: "glossary.yaml" }]],
  },

  // ---- Links, redirects, groups: inside ----
  {
    say: ["Could you check the links please?", "Check all links in the docs and report what is broken."],
    calls: [["check_links", {}]],
  },
  { say: ["Please check the links in reference/."], calls: [["check_links", { in: ["reference/"] }]] },
  {
    say: [
      "pls fix the broken links",
      "Repair all broken links in the docs.",
      "There are a few 404s in our docs. Please fix the broken links.",
    ],
    calls: [["fix_links", {}]],
  },
  {
    say: ["Fix the broken links on the page Install with Docker."],
    calls: [["fix_links", { in: ["install/docker"] }]],
  },
  { say: ["Fix broken links in guides/ and concepts/."], calls: [["fix_links", { in: ["guides/", "concepts/"] }]] },
  { say: ["Fix broken anchors in api/."], calls: [["fix_links", { in: ["api/"], only: "anchors" }]] },
  {
    say: ["Redirect /old-faq to the FAQ."],
    calls: [["add_redirect", { from: "/old-faq", to: "/support/faq" }]],
  },
  {
    say: ["Please redirect /old-faq to /support/faq, it still gets traffic from Google."],
    either: [[["add_redirect", { from: "/old-faq", to: "/support/faq" }]], "refused"],
  },
  {
    say: [
      "Add redirects:\n- from /start to /quickstart\n- from /cli to /reference/cli",
      "Redirect /start to /quickstart and /cli to /reference/cli.",
    ],
    calls: [
      ["add_redirect", { from: "/start", to: "/quickstart" }],
      ["add_redirect", { from: "/cli", to: "/reference/cli" }],
    ],
  },
  {
    say: ["Delete the redirects from /help and /setup."],
    calls: [
      ["remove_redirect", { from: "/help" }],
      ["remove_redirect", { from: "/setup" }],
    ],
  },
  {
    say: [],
    calls: [["rename_group", { group: "Operations", to: "Run Harbor" }]],
  },
  {
    say: ['Please rename the "All pages" group to "Help and support".'],
    calls: [["rename_group", { group: "All pages", to: "Help and support" }]],
  },
  {
    say: ['Move the "API" group in front of the "Reference" group.'],
    calls: [["move_group", { group: "API", before: "Reference" }]],
  },
  {
    say: ["Move the group Advanced to the end of the navigation."],
    calls: [["move_group", { group: "Advanced", position: "last" }]],
  },

  // ---- Pages: inside ----
  {
    say: [
      'Add a page titled "Volumes" under "Concepts" with the text "A volume keeps data between restarts."',
      'Create a new page called "Volumes" in the group "Concepts" with the text: A volume keeps data between restarts.',
    ],
    calls: [["add_page", { title: "Volumes", group: "Concepts", text: "A volume keeps data between restarts." }]],
  },
  {
    say: [
      'Add a page titled "Rate limits" at api/rate-limits after api/errors with the text:\n\n```\nEach key may call 100 times a minute.\n```',
    ],
    calls: [
      [
        "add_page",
        {
          title: "Rate limits",
          path: "api/rate-limits",
          after: "api/errors",
          text: "Each key may call 100 times a minute.",
        },
      ],
    ],
  },
];
