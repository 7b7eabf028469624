import { type CorpusEntry, term } from "./entry.ts";

const cloud = ["Harbor Cloud", "Harbor Platform"] as const;

/** Words that readers see, replaced by others. */
export const terms: readonly CorpusEntry[] = [
  {
    calls: [term(...cloud)],
    say: [
      'replace "Harbor Cloud" with "Harbor Platform"',
      'Rebrand: replace every "Harbor Cloud" with "Harbor Platform".',
      "Rename the product Harbor Cloud to Harbor Platform",
      "rename the product from Harbor Cloud to Harbor Platform across all docs pls",
      "Replace all mentions of Harbor Cloud with Harbor Platform",
      "The product name Harbor Cloud is now Harbor Platform, please update the docs.",
      "change all references to the product name Harbor Cloud to Harbor Platform",
      "“Harbor Cloud” → “Harbor Platform” everywhere",
      "docs: rename product name Harbor Cloud -> Harbor Platform",
      "Find and replace “Harbor Cloud” with “Harbor Platform” in the whole documentation",
      "Hey, could you replace the term Harbor Cloud by Harbor Platform in all of our docs? Thanks!",
      "All occurrences of 'Harbor Cloud' should read 'Harbor Platform'.",
      "We've rebranded. Please replace “Harbor Cloud” with “Harbor Platform” throughout.",
      "“Harbor Cloud” is now called “Harbor Platform”. Update all mentions.",
      "update all mentions of Harbor Cloud to Harbor Platform",
      "Switch the term `Harbor Cloud` to `Harbor Platform` site-wide",
    ],
  },
  {
    calls: [term("log in", "sign in")],
    say: [
      'Use "sign in" instead of "log in"',
      'say "sign in", not "log in"',
      'Prefer "sign in" over "log in" throughout the docs.',
      'Consistently use "sign in" rather than "log in".',
      'docs: use the term "sign in" instead of "log in"',
      "Change “log in” to “sign in” on every page.",
      'Instead of "log in" we write "sign in". Please change that everywhere.',
      'Terminology: "log in" should be "sign in"',
    ],
  },
  {
    calls: [term("whitelist", "allowlist")],
    say: [
      "Replace whitelist with allowlist everywhere",
      "Replace the word whitelist with allowlist.",
      'Use "allowlist" in place of "whitelist"',
      'Inclusive language: replace "whitelist" by "allowlist" across the docs',
      "swap the word 'whitelist' for 'allowlist' in all pages",
      'please chnage the term "whitelist" to "allowlist"',
      'could we get rid of "whitelist" and use "allowlist" instead?',
    ],
  },
  {
    calls: [term("berth", "slot", { in: ["guides/"] })],
    say: [
      'In the guides folder, replace "berth" with "slot".',
      'replace the term "berth" with "slot" in guides/',
      'Replace "berth" with "slot", but only in guides/',
      'under guides/: "berth" -> "slot"',
      'For everything in guides/, use "slot" instead of "berth".',
      'Only in the guides directory: change "berth" to "slot"',
    ],
  },
  {
    calls: [term("access token", "API key", { in: ["api/tokens"] })],
    say: [
      'On the Tokens page, replace "access token" with "API key"',
      'Replace "access token" with "API key" on the page Tokens.',
      'in api/tokens.mdx replace "access token" by "API key"',
      'Replace "access token" with "API key" on api/tokens only',
      'api/tokens: use "API key" instead of "access token"',
      'Please change the term "access token" to "API key" on the "Tokens" page, and nowhere else.',
    ],
  },
  {
    calls: [term("config file", "configuration file", { except: ["changelog"] })],
    say: [
      'Replace "config file" with "configuration file" everywhere except in the changelog',
      'Replace "config file" with "configuration file", but leave the changelog alone.',
      'use "configuration file" instead of "config file" in all docs except changelog.mdx',
      'Everywhere but on the Changelog page, replace "config file" with "configuration file".',
      '"config file" -> "configuration file" on all pages, excluding the changelog',
      'Replace "config file" by "configuration file". Do not touch the changelog.',
    ],
  },
  {
    calls: [term("berth", "slot", { except: ["reference/", "api/"] })],
    say: [
      'Replace "berth" with "slot" in all pages except those in reference/ and api/.',
      'Except in reference/ and api/, change "berth" to "slot".',
      'replace the term "berth" with "slot" everywhere apart from reference/ and api/',
    ],
  },
  {
    calls: [term("Workers", "Agents", { only: "headings" })],
    say: [
      'Replace "Workers" with "Agents" in headings only',
      'Only in headings, replace "Workers" with "Agents".',
      'In the headings, change "Workers" to "Agents", leave the body text as it is.',
      'use "Agents" instead of "Workers" in all headings',
    ],
  },
  {
    calls: [term("Harbor Cloud", "Harbor", { only: "titles" })],
    say: [
      'In page titles, replace "Harbor Cloud" with "Harbor".',
      'Replace "Harbor Cloud" with "Harbor" only in page titles',
      'change "Harbor Cloud" to "Harbor" in the titles of all pages',
    ],
  },
  {
    calls: [term("webhook", "callback", { includeCode: true })],
    say: [
      'Replace "webhook" with "callback", code blocks included.',
      "replace the term webhook with callback everywhere, even in code",
      'Replace "webhook" with "callback" in text and in code samples',
      'Change "webhook" to "callback", inside code blocks as well',
      'Use "callback" instead of "webhook" - also in code examples please',
    ],
  },
  {
    calls: [term("webhook", "callback")],
    say: [
      'Replace "webhook" with "callback" but don\'t touch code blocks',
      'Replace "webhook" with "callback"; leave code and URLs alone.',
      'Except in code, replace "webhook" with "callback".',
    ],
  },
  {
    calls: [term("API Key", "API key", { letterCase: "exact" })],
    say: [
      'Replace "API Key" with "API key", case-sensitive',
      'Replace "API Key" by "API key", exactly in this spelling',
    ],
  },
  {
    calls: [term("javascript", "JavaScript", { letterCase: "any" })],
    say: [
      'Replace "javascript" with "JavaScript", ignoring case',
      'spell "javascript" as "JavaScript" everywhere, whatever the case',
      'Replace "javascript" with "JavaScript" regardless of upper or lower case.',
    ],
  },
  {
    calls: [term("Harbormaster", "Dock Control")],
    say: [
      'Rename the product "Harbormaster" to "Dock Control" everywhere in the docs',
      "replace the product name Harbormaster with Dock Control in all docs",
    ],
  },
  {
    calls: [term("e-mail", "email"), term("web site", "website"), term("back-up", "backup")],
    say: [
      'Replace "e-mail" with "email", "web site" with "website" and "back-up" with "backup".',
      'Spelling:\n- "e-mail" -> "email"\n- "web site" -> "website"\n- "back-up" -> "backup"',
      'Please replace these terms:\n1. "e-mail" with "email"\n2. "web site" with "website"\n3. "back-up" with "backup"',
      'Use "email" instead of "e-mail", "website" instead of "web site", and "backup" instead of "back-up".',
    ],
  },
  {
    calls: [["normalise_style", { glossary: "glossary.yaml" }]],
    say: [
      "Apply glossary.yaml",
      "apply the glossary in glossary.yaml to all pages",
      "Enforce the terms from the glossary file glossary.yaml",
    ],
  },
  {
    calls: [term("dock", "pier", { wholeWord: false })],
    say: [
      'Replace "dock" with "pier", also inside longer words',
      'Replace "dock" with "pier" even as part of other words',
    ],
  },
  {
    calls: [term("k8s", "Kubernetes", { in: ["concepts/", "operate/"] })],
    say: [
      'spell out "k8s" as "Kubernetes" in concepts/ and operate/',
      'Replace "k8s" with "Kubernetes" in the folders concepts and operate',
      'In concepts/ and operate/ replace the abbreviation "k8s" with "Kubernetes".',
    ],
  },
  {
    calls: [
      term("node pool", "worker group", {
        in: [
          "guides/deploy",
          "guides/replace",
          "guides/redirects",
          "guides/search",
          "guides/backups",
          "guides/migrate",
        ],
      }),
    ],
    say: [
      'Replace "node pool" with "worker group" on all pages of the Guides group',
      'In the group "Guides", replace "node pool" with "worker group".',
    ],
  },
];
