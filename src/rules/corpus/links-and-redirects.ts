import type { CorpusEntry } from "./entry.ts";

const guides = { in: ["guides/"] };

export const linksAndRedirects: readonly CorpusEntry[] = [
  {
    calls: [["check_links", {}]],
    say: [
      "check links",
      "Can you check the docs for dead links?",
      "are there any broken links left",
      "Run the link checker over the docs and tell me what's broken",
      "List all broken internal links.",
      "verify links, don't change anything",
      "Just report the broken links, please do not fix them yet.",
      "Look for links that lead nowhere",
      "Check that all links and anchors resolve",
      "Are any of our links 404ing?",
    ],
  },
  {
    calls: [["check_links", guides]],
    say: [
      "check links in guides/",
      "Which links under guides/ are broken?",
      "report dead links in the guides folder",
      "In guides/, list the broken links.",
    ],
  },
  {
    calls: [["check_links", { in: ["reference/cli"] }]],
    say: ["Are there broken links on the CLI reference page?", "check the links on reference/cli.mdx"],
  },
  {
    calls: [["fix_links", {}]],
    say: [
      "fix broken links",
      "docs: fix dead links",
      "Fix all the broken links pls",
      "fix teh broken links",
      "There are some broken internal links. Please fix them.",
      "clean up 404 links across the docs",
      "Repair links that lead nowhere.",
      "chore(docs): repair broken internal links",
      "Some links went stale after the last restructure, please fix broken links.",
      "Find the broken links and fix what you can",
    ],
  },
  {
    calls: [["fix_links", guides]],
    say: [
      "fix broken links in guides/",
      "Fix dead links, but only under guides/",
      "in the guides directory, repair all broken links",
      "guides/: fix broken links",
    ],
  },
  {
    calls: [["fix_links", { in: ["quickstart", "index"] }]],
    say: [
      "Fix the broken links on the pages quickstart and index",
      "fix broken links in quickstart.mdx and index.mdx",
      "Fix broken links on the Quickstart and the Introduction page.",
    ],
  },
  {
    calls: [["fix_links", { only: "anchors" }]],
    say: [
      "fix broken anchors",
      "Fix broken anchor links only",
      "Only repair the anchors that are broken, leave other links as they are.",
      "Correct the links whose #anchor does not exist anymore",
      "docs: fix broken fragment links",
    ],
  },
  {
    calls: [["fix_links", { only: "anchors", in: ["reference/"] }]],
    say: ["Fix broken anchors in reference/", "in reference/ fix only broken anchors"],
  },
  {
    calls: [["add_redirect", { from: "guides/backup-cluster", to: "guides/backups" }]],
    say: [
      "Add a redirect from /guides/backup-cluster to /guides/backups",
      "redirect /guides/backup-cluster to guides/backups",
      'Redirect the old address /guides/backup-cluster to the page "Back up a cluster".',
      "add redirect: /guides/backup-cluster -> /guides/backups",
      "Please set up a redirect so that /guides/backup-cluster goes to /guides/backups.",
      "/guides/backup-cluster should redirect to /guides/backups",
      "Create a redirect from guides/backup-cluster to the Back up a cluster page",
      "Make /guides/backup-cluster point to /guides/backups with a redirect",
    ],
  },
  {
    calls: [
      ["add_redirect", { from: "docs/install", to: "install/linux" }],
      ["add_redirect", { from: "docs/faq", to: "support/faq" }],
    ],
    say: [
      "Add redirects from /docs/install to /install/linux and from /docs/faq to /support/faq.",
      "Add redirects:\n- /docs/install -> /install/linux\n- /docs/faq -> /support/faq",
      "redirect /docs/install to /install/linux and /docs/faq to /support/faq",
    ],
  },
  {
    calls: [["remove_redirect", { from: "setup" }]],
    say: [
      "Remove the redirect from /setup",
      "delete the /setup redirect",
      "drop the redirect for /setup, we don't need it anymore",
    ],
  },
  {
    calls: [["remove_redirect", { from: "setup", to: "quickstart" }]],
    say: ["Remove the redirect /setup → /quickstart.", "Remove the redirect from /setup to /quickstart"],
  },
];
