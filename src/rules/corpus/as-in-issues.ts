import { type CorpusEntry, term } from "./entry.ts";

/** Messages as they stand in issues and chats: reasons before the request, no quotes, tables, addresses, haste. */
export const asInIssues: readonly CorpusEntry[] = [
  {
    calls: [term("Harbor Cloud", "Harbor Platform")],
    say: [
      "Marketing renamed the product. Please replace Harbor Cloud with Harbor Platform in all docs.",
      "we renamed Harbor Cloud to Harbor Platform, can you update all mentions in the docs?",
      "Product rename\n\nReplace all occurrences of Harbor Cloud with Harbor Platform.",
      "Every “Harbor Cloud” must become “Harbor Platform”.",
      "Replace “Harbor Cloud” with “Harbor Platform” everywhere, as decided in the naming meeting.",
    ],
  },
  {
    either: [[term("Harbor Cloud", "Harbor Platform")], "refused"],
    say: [
      "Please replace the following in all docs:\n\n| Old | New |\n|---|---|\n| Harbor Cloud | Harbor Platform |",
      "Old name: Harbor Cloud\nNew name: Harbor Platform\n\nPlease replace the old name with the new name everywhere.",
      "The docs still say “Harbor Cloud”. It should say “Harbor Platform” everywhere.",
    ],
  },
  {
    calls: [term("config file", "configuration file", { in: ["reference/"] })],
    say: ["Could you replace “config file” with “configuration file” in reference/? The style guide asks for it."],
  },
  {
    either: [[term("config file", "configuration file", { in: ["reference/"] })], "refused"],
    say: [
      "reference/: config file -> configuration file (replace the term on all pages there)",
      "In the reference docs under reference/ we say “config file”. Replace it with “configuration file”.",
    ],
  },
  {
    calls: [["fix_links", {}]],
    say: [
      "The last release broke a lot of links. Please fix all broken links.",
      "Link checker is red again, can you fix the broken links?",
      "please fix broken links 🙏",
      "Broken links: fix them all.",
      "fix: broken links",
      "Fixing broken links across the docs",
      "We have several dead links in the docs, could somebody fix them?",
      "Fix broken links (closes #481)",
    ],
  },
  {
    calls: [["check_links", {}]],
    say: ["Do we have broken links?", "Broken link report please", "Could you give me a list of all broken links?"],
  },
  {
    either: [[["check_links", {}]], "refused"],
    say: ["Before the release I'd like to know which links are broken."],
  },
  {
    calls: [["move_page", { page: "guides/search", to: "reference/search" }]],
    say: [
      "Can you move `guides/search.mdx` to `reference/search.mdx`? Links should keep working.",
      "docs: move search guide from guides/search to reference/search",
    ],
  },
  {
    either: [[["move_page", { page: "guides/search", to: "reference/search" }]], "refused"],
    say: [
      "guides/search is reference material. Move it to reference/search.",
      "moved guides/search to reference/search please, thx",
    ],
  },
  {
    calls: [["remove_page", { page: "install/windows", redirectTo: "install/docker" }]],
    say: [
      "We no longer support Windows. Please delete install/windows and redirect to install/docker.",
      "Remove install/windows.mdx (add a redirect to install/docker).",
      "The Windows page is obsolete: remove install/windows, redirect visitors to install/docker.",
    ],
  },
  {
    either: [[["remove_page", { page: "install/windows", redirectTo: "install/docker" }]], "refused"],
    say: ["install/windows can go. Redirect it to install/docker."],
  },
  {
    calls: [["set_front_matter", { page: "concepts/berths", key: "description", value: "How berths work." }]],
    say: [
      "Add a meta description to concepts/berths: “How berths work.”",
      "Please use “How berths work.” for the description on concepts/berths",
      "In concepts/berths.mdx set `description: How berths work.`",
    ],
  },
  {
    either: [
      [["set_front_matter", { page: "concepts/berths", key: "description", value: "How berths work." }]],
      "refused",
    ],
    say: [
      "concepts/berths has no description. Set it to “How berths work.”",
      "description of the Berths page -> “How berths work.”",
    ],
  },
  {
    calls: [["add_callout", { page: "operate/upgrade", kind: "warning", text: "Back up first." }]],
    say: [
      "People lose data. Add a warning to operate/upgrade with the text “Back up first.”",
      "Can you add a warning on the Upgrade Harbor page that says “Back up first.”?",
      "operate/upgrade needs a warning: “Back up first.”",
      "Put the warning “Back up first.” on operate/upgrade",
    ],
  },
  {
    calls: [["add_redirect", { from: "tutorial", to: "quickstart" }]],
    say: [
      "/tutorial gives a 404 since the redesign. Please add a redirect from /tutorial to /quickstart.",
      "old URL /tutorial -> redirect to quickstart",
      "Can you redirect /tutorial to the quickstart?",
      "docs.json: add redirect /tutorial → /quickstart",
    ],
  },
  {
    calls: [["remove_section", { page: "concepts/berths", title: "Naming" }]],
    say: ["Drop section “Naming” from concepts/berths.", "concepts/berths: remove “Naming” section"],
  },
  {
    either: [[["remove_section", { page: "concepts/berths", title: "Naming" }]], "refused"],
    say: ["The Naming section on the Berths page is wrong, please remove it."],
  },
  {
    calls: [["rename_group", { group: "Reference", to: "Look up" }]],
    say: [],
  },
  {
    either: [[["rename_group", { group: "Reference", to: "Look up" }]], "refused"],
    say: [
      "Nobody understands “Reference”. Rename the group to “Look up”.",
      "sidebar group Reference → “Look up” (rename)",
      "Call the group “Reference” “Look up” instead.",
    ],
  },
  {
    calls: [["changelog_from_history", { version: "2.7.0", since: "v2.6.0" }]],
    say: [
      "2.7.0 is out. Please add a changelog entry from the git history since v2.6.0.",
      "changelog entry for v2.7.0 please, from the commits since v2.6.0",
      "Add v2.7.0 to the changelog (commits since v2.6.0).",
    ],
  },
  {
    calls: [["normalise_style", { headingCase: "sentence" }]],
    say: [
      "Our style guide wants sentence case. Please use sentence case for all headings.",
      "Headings: sentence case everywhere please",
      "Switch all headings to sentence case",
    ],
  },
  {
    calls: [["add_missing_descriptions", {}]],
    say: ["add missing frontmatter descriptions"],
  },
  {
    either: [[["add_missing_descriptions", {}]], "refused"],
    say: ["Search engines complain about missing descriptions. Add them where they are missing."],
  },
  {
    either: [[["remove_page", { page: "drafts/roadmap" }]], "refused"],
    say: [
      "I think we can remove drafts/roadmap",
      "The Roadmap page is outdated and should be removed.",
      "roadmap page can be deleted",
    ],
  },
  {
    either: [[["fix_links", {}]], [["check_links", {}]], "refused"],
    say: ["There are broken links in the docs.", "broken links", "Links are broken again"],
  },
  {
    either: [[["fix_links", { in: ["quickstart"] }]], "refused"],
    say: ["quickstart has a broken link", "Broken link on the Quickstart page, please fix"],
  },
  {
    refused: true,
    say: [
      "The link to the forum on the quickstart page is broken, it should go to https://forum.harbor.example.",
      "The quickstart says port 8080 but the default is 9090.",
      "`harbor up` does not exist anymore, it's `harbor start` now.",
      "Page not found when I click Next on the quickstart",
      "The screenshot on guides/search shows the old console.",
      "concepts/berths and concepts/networking say different things about ports.",
      "Update docs for Harbor Platform rename, see the PRD for names",
      "We should say something about GDPR.",
      "Typo on the FAQ page: recieve",
      "It would be nice to have a page about volumes.",
      "Harbor Cloud is our hosted product.",
      "I don't like the name Harbor Cloud.",
      "Move the Requirements to the top of each install page and drop the rest.",
      "Can the docs have a version for 2.6?",
      "Remove all the TODOs",
      "Remove the em dashes",
      "Remove trailing slashes from all links",
      "Use relative links everywhere",
      "Make code blocks copyable",
      "Number the headings",
    ],
  },
  {
    // Whether this is the address of these docs, the repository does not say.
    either: [[["move_page", { page: "guides/search", to: "reference/search" }]], "refused"],
    say: ["Move https://docs.harbor.example/guides/search to /reference/search"],
  },
  {
    either: [[["add_redirect", { from: "tutorial", to: "quickstart" }]], "refused"],
    say: ["https://docs.harbor.example/tutorial should redirect to /quickstart"],
  },
];
