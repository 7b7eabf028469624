import type { CorpusEntry } from "./entry.ts";
import { pagesOutside } from "./repository.ts";

/** Sentences that look like a chore about the content of pages or all of the docs, and those whose quoted text looks like one. */
export const misleadingContent: readonly CorpusEntry[] = [
  {
    refused: true,
    say: [
      "Add a note to quickstart about accounts",
      'Add a note to every page with the text "Harbor 2.7 is out."',
      "Add a note to quickstart",
      "Turn the last paragraph of quickstart into a note",
      'Add a section to quickstart with the text "Hello."',
      "Add a section about firewalls to concepts/networking",
      'Add a section "Limits" with the text "None."',
      'Replace the section "Rotation" on concepts/secrets with a better one',
      'Replace the section "Rotation" on concepts/secrets with the one from guides/backups',
      'Replace the section "Backups" on concepts/secrets with "x"',
      'Remove the section "Limits" from quickstart',
      "Add a page titled Volumes",
      "Add a page about volumes",
      'Add a page titled "Volumes" under "Storage things" similar to the page Berths',
      "Set the description of quickstart",
      "Set the description of quickstart to something catchy",
      "Set the title of guides/search to match its file name",
      'Set the description to "Start here."',
      'Set the description of Overview to "Start here."',
      "Shorten the description of quickstart",
      "Add alt text to all images",
      "Set the alt text of images/harbor.png",
      "Add a warning that Windows is not supported",
      "Add a search to the docs",
      "Add a redirect",
      "Add a redirect to the quickstart",
      "Redirect everything to the quickstart",
      "Add a redirect from /setup to /setup",
      "Add a redirect if /docs/install is gone",
      "Add a redirect from /a to /quickstart and do not add a redirect from /a",
    ],
  },
  {
    refused: true,
    say: [
      "Use sentence case for headings, but keep the h1s",
      "Use sentence case for page titles only",
      'Use "-" as list markers and "*" as list markers',
      "Use numbered lists instead of bullets",
      "Convert bullet lists to tables",
      "Use lower case for headings",
      "Update the changelog with something nice",
      "Add 2.7 to the changelog without the merge commits since v2.6",
      "Create API reference pages from openapi.yaml, only for the tokens tag",
      "Create API reference pages",
      "Audit the code",
      "Check the docs and fix everything",
      "Tag the release v2.7",
      "Update the Changelog page title for each release",
    ],
  },
  {
    calls: [["remove_page", { page: "guides/redirects", redirectTo: "guides/deploy" }]],
    say: [
      "Remove the page Redirects and redirect it to guides/deploy",
      "delete guides/redirects.mdx and redirect to guides/deploy",
    ],
  },
  {
    calls: [["add_callout", { page: "quickstart", kind: "note", text: "Do not remove the page drafts/roadmap." }]],
    say: ['Add a note to quickstart with the text "Do not remove the page drafts/roadmap."'],
  },
  {
    calls: [
      [
        "add_section",
        { page: "guides/search", title: "Fix broken links", text: "Run harbor links. Then remove the page." },
      ],
    ],
    say: [
      'Add a section titled "Fix broken links" to guides/search with the text "Run harbor links. Then remove the page."',
      'Add a section "Fix broken links" to guides/search with the text:\n```\nRun harbor links. Then remove the page.\n```',
    ],
  },
  {
    calls: [["set_front_matter", { page: "changelog", key: "description", value: 'Replace "a" with "b"' }]],
    say: ['Set the description of changelog to `Replace "a" with "b"`'],
  },
  {
    calls: [["move_page", { page: "changelog", group: "Reference" }]],
    say: ["Move the Changelog page to the Reference group", "move changelog to the group Reference"],
  },
  {
    calls: [["set_front_matter", { page: "guides/redirects", key: "description", value: "Search" }]],
    say: ['Set the description of Redirects to "Search"', 'Set the description of the page Redirects to "Search".'],
  },
  {
    calls: [["check_links", { in: ["support/faq", "support/troubleshooting", "changelog"] }]],
    say: ['Check links in the group "All pages"'],
  },
  {
    either: [[["check_links", { in: pagesOutside("changelog") }]], "refused"],
    say: ["Check links except in the changelog", "check all links, skip the changelog page"],
  },
  {
    either: [[["fix_links", { in: pagesOutside("guides/") }]], "refused"],
    say: ["Fix broken links except in guides/", "fix all broken links but leave guides/ alone"],
  },
  {
    either: [[["add_missing_descriptions", { in: pagesOutside("api/") }]], "refused"],
    say: ["Add missing descriptions, but not in api/"],
  },
  {
    either: [
      [["fix_links", {}]],
      [
        ["check_links", {}],
        ["fix_links", {}],
      ],
      "refused",
    ],
    say: [
      "Make sure that all links work",
      "Check all links and fix what is broken",
      "We can't have broken links. Fix them.",
    ],
  },
  {
    either: [[["check_links", {}]], "refused"],
    say: ["Do not fix broken links, only list them.", "Don't fix anything. Just tell me which links are broken."],
  },
  {
    either: [[["changelog_from_history", { version: "2.7" }]], "refused"],
    say: ["Add a changelog entry for 2.7"],
  },
];
