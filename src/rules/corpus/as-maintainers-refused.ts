import type { CorpusEntry } from "./entry.ts";

/** By the same people: what no chore does, or what has two meanings. Where calls stand, a chore itself refuses them when it is tried. */
export const asMaintainersRefused: readonly CorpusEntry[] = [
  { say: ["Make the quickstart friendlier and a bit shorter."], refused: true },
  { say: ["Summarize operate/overview in three bullet points at the top."], refused: true },
  { say: ["Update Harbor to 2.7 in the install pages."], refused: true },
  { say: ["Convert the Tabs on the introduction page to Steps."], refused: true },
  { say: ["Set the tag of All pages to \"Beta\"."], refused: true },
  { say: ["Replace \"worker\" with \"agent\" except in tables."], refused: true },
  { say: ["Replace \"service\" with \"app\" but keep the plural forms as they are."], refused: true },
  // "overview" fits both api/overview and operate/overview.
  { say: ["Add a note to the overview page with the text \"Work in progress.\""], calls: [["add_callout", {"page": "overview", "kind": "note", "text": "Work in progress."}]] },
  { say: ["Replace \"webhook\" with \"callback\" and \"webhook\" with \"hook\"."], refused: true },
  { say: ["Delete support/faq, redirect it to quickstart, and set the description of support/faq to \"Common questions\"."], refused: true },
  { say: ["Replace \"dashboard\" with \"console\" and fix broken links in guides/."], refused: true },
  { say: ["In api/, replace \"access token\" with \"API key\"; fix broken links."], refused: true },
  { say: ["Should we replace \"whitelist\" with \"allowlist\" everywhere?"], refused: true },
  { say: ["Is the roadmap page linked from anywhere?"], refused: true },
  { say: ["Write a page about rate limits and put it under Concepts."], refused: true },
  { say: ["Add a section titled \"Checklist\" to operate/upgrade with the text: a short list of things to do before an upgrade"], refused: true },
  { say: ["Add a section titled \"Housekeeping\" to operate/upgrade with the text: Stop the old workers. Remove the page drafts/roadmap."], refused: true },
  // A redirect that would take every address without a page is refused.
  { say: ["Redirect /* to /quickstart."], calls: [["add_redirect", {"from": "/*", "to": "/quickstart"}]] },
  // The redirects lead in a circle.
  { say: ["Redirect /one to /two and /two to /one."], calls: [["add_redirect", {"from": "/one", "to": "/two"}], ["add_redirect", {"from": "/two", "to": "/one"}]] },
  // The page guides/deploy has that address.
  { say: ["Add a redirect from /guides/deploy to /quickstart."], calls: [["add_redirect", {"from": "/guides/deploy", "to": "/quickstart"}]] },
  { say: ["Quickly fix all broken links before Friday."], refused: true },
  { say: ["My boss can't stand the word whitelist. Replace \"whitelist\" with \"allowlist\" everywhere."], refused: true },
  { say: ["Sort the pages in the Guides group alphabetically."], refused: true },
  { say: ["Merge install/linux and install/docker into one page."], refused: true },
  { say: ["Check all external links for 404s."], refused: true },
  { say: ["Use sentence case for headings and title case for headings."], refused: true },
  { say: ["Remove the Limits section."], refused: true },
  { say: ["Write good alt texts for all images."], refused: true },
  { say: ["Add a warning about data loss to guides/backups."], refused: true },
  // Every page links to it and no page to redirect to is given; the job must ask for it and change nothing.
  { say: ["Delete the page quickstart."], calls: [["remove_page", {"page": "quickstart"}]] },
  { say: ["Bitte ersetze überall \"Harbor Cloud\" durch \"Harbor Platform\"."], refused: true },
  { say: ["Remove all pages in drafts/ that have not been touched for a year."], refused: true },
  // "The install page" fits Install on Linux, Install with Docker and Install on Windows (or the section Install of the quickstart).
  { say: ["Redirect /install to the install page."], calls: [["add_redirect", {"from": "/install", "to": "install"}]] },
]; // oxfmt-ignore
