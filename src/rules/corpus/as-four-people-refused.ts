import type { CorpusEntry } from "./entry.ts";

/** By the same people: what no chore does, or what has two meanings. Where calls stand, a chore itself refuses them when it is tried. */
export const asFourPeopleRefused: readonly CorpusEntry[] = [
  { say: ["Hey, could you make the quickstart sound a bit friendlier? Thanks!"], refused: true },
  { say: ["Hi! Should we rename the group \"Guides\" to \"Recipes\"?"], refused: true },
  // Refuse: "overview" fits two pages, api/overview and operate/overview.
  { say: ["Hello! Please add a warning to the overview page saying \"This is in beta.\""], calls: [["add_callout", {"page": "overview", "kind": "warning", "text": "This is in beta."}]] },
  { say: ["Hi team, please update Harbor to v2.7 in the docs."], refused: true },
  { say: ["Hey! Please translate the FAQ page into German."], refused: true },
  { say: ["Hi! Please replace \"worker\" with \"runner\" everywhere, but keep it in tables."], refused: true },
  { say: ["Hey, please add a section \"Pricing\" to the FAQ with the text: a short overview of what Harbor costs."], refused: true },
  { say: ["Hi! Can anybody remove the page guides/search?"], refused: true },
  { say: ["Hi, our launch party is on Friday and the team is super excited. Please add a note to quickstart with the text \"Harbor 2.7 is here.\""], refused: true },
  { say: ["Replace \"worker\" with \"agent\" and replace \"worker\" with \"runner\" on all pages."], refused: true },
  { say: ["Move the group \"Concepts\" before \"Get started\" and to the end of the navigation."], refused: true },
  { say: ["Rephrase the section \"Lifecycle\" on concepts/berths in the active voice."], refused: true },
  { say: ["Convert the tabs on install/linux to accordions."], refused: true },
  { say: ["Replace \"webhook\" with \"callback\" and fix broken anchors in concepts/."], refused: true },
  { say: ["Set the icon of All pages to \"book\"."], refused: true },
  { say: ["Remove the section \"Known issues\"."], refused: true },
  // Refuse: a page has the address /guides/search.
  { say: ["Add a redirect from /guides/search to /guides/deploy."], calls: [["add_redirect", {"from": "/guides/search", "to": "/guides/deploy"}]] },
  { say: ["Shorten every description to at most 150 characters."], refused: true },
  // Refuse: "overview" fits two pages, api/overview and operate/overview.
  { say: ["delete page overview"], calls: [["remove_page", {"page": "overview"}]] },
  { say: ["bump node to 22 in the CI config"], refused: true },
  { say: ["replace \"berth\" with \"slot\", not in tables"], refused: true },
  // Refuse: the redirect would take every address without a page.
  { say: ["redirect /* to /quickstart"], calls: [["add_redirect", {"from": "/*", "to": "/quickstart"}]] },
  { say: ["delete group \"Advanced\""], refused: true },
  { say: ["run prettier over all mdx files"], refused: true },
  { say: ["hide guides/search, unhide guides/search"], refused: true },
  // Refuse: nearly every page links to quickstart and no page to redirect to is named; the job must ask where readers shall come.
  { say: ["remove page quickstart"], calls: [["remove_page", {"page": "quickstart"}]] },
  { say: ["The Quickstart page should be easier to understand for beginners."], refused: true },
  { say: ["We need a page in the Guides group that explains how customers set up webhooks."], refused: true },
  { say: ["I'd like a short summary of the changelog at the top of the Introduction page."], refused: true },
  { say: ["Will we move the Advanced group after Concepts?"], refused: true },
  { say: ["Environment variables should be removed from the docs."], refused: true },
  { say: ["The Harbormaster page should be hidden until the launch in May."], refused: true },
  { say: ["We need all screenshots of the dashboard updated to the new design."], refused: true },
  { say: ["I'd like \"Harbor Cloud\" to be replaced with something shorter everywhere."], refused: true },
  { say: ["I'd like the Search page to be removed, and the Search page should get a note saying \"Moved.\""], refused: true },
]; // oxfmt-ignore
