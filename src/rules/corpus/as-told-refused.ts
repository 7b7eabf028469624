import type { CorpusEntry } from "./entry.ts";

/** By the same people: what no chore does, or what has two meanings. Where calls stand, a chore itself refuses them when it is tried. */
export const asToldRefused: readonly CorpusEntry[] = [
  { say: ["In guides/, replace \"berth\" with \"slot\"; fix broken links."], refused: true },
  { say: ["Sort the pages in the group \"Guides\" alphabetically."], refused: true },
  { say: ["Replace \"worker\" with \"runner\". Add missing descriptions. Do not touch the changelog."], refused: true },
  // "overview" fits several pages (operate/overview, api/overview).
  { say: ["Remove the overview page and redirect it to quickstart."], calls: [["remove_page", {"page": "overview", "redirectTo": "quickstart"}]] },
  { say: ["Add a page titled \"Billing\" under \"Reference\" with the text: a few paragraphs on how invoices work"], refused: true },
  { say: ["Hide redirects."], refused: true },
  { say: ["Translate support/faq into German."], refused: true },
  { say: ["Replace \"berth\" with \"slot\" in concepts/, but keep bold text unchanged."], refused: true },
  { say: ["Polish the wording of the Quickstart so that it sounds friendlier."], refused: true },
  { say: ["Write alt text for all images."], refused: true },
  { say: ["Swap \"webhook\" for \"callback\" in All pages."], refused: true },
  { say: ["Replace \"control plane\" with \"controller\" not in code in operate/."], refused: true },
  { say: ["Please convert the tabs on the quickstart page to accordions."], refused: true },
  // Would take every address without a page.
  { say: ["Redirect /* to the quickstart."], calls: [["add_redirect", {"from": "/*", "to": "quickstart"}]] },
  { say: ["Rename the group \"Guides\" to \"Recipes\". Rename the group \"Guides\" to \"Tutorials\"."], refused: true },
  { say: ["Add a summary of the changelog to the top of operate/upgrade."], refused: true },
  { say: ["Merge concepts/berths and concepts/networking into one page."], refused: true },
  { say: ["The tag of api/tokens is now \"Stable\"."], refused: true },
  { say: ["Bitte ersetze \"Whitelist\" durch \"Allowlist\" in allen Seiten."], refused: true },
  { say: ["Lastly, audit the docs. Rename the group \"API\" to \"HTTP API\"."], refused: true },
  // Other pages link to it and no page to redirect to is named.
  { say: ["Remove the page quickstart."], calls: [["remove_page", {"page": "quickstart"}]] },
  { say: ["Set the tag of the group \"Concepts\" to \"Beta\"."], refused: true },
  { say: ["Add a page titled Working with TLS under \"Guides\" with the text \"Harbor renews certificates by itself.\""], refused: true },
  { say: ["Create a new group \"Tutorials\" and put guides/deploy and guides/backups into it."], refused: true },
  { say: ["Should we rename the group \"Advanced\" to \"Expert\"?"], refused: true },
  { say: ["Replace \"webhook\" with \"callback\" on quickstart, also in inline code."], refused: true },
  { say: ["Replace \"worker\" with \"runner\" everywhere except in tables."], refused: true },
  { say: ["Fix the broken links in operate/ before Monday."], refused: true },
  { say: ["Hide the page operate/upgrade and unhide operate/upgrade."], refused: true },
  { say: ["Fix typos and grammar in the FAQ."], refused: true },
  { say: ["Replace \"log in\" with \"sign in\" except in support/ and in headings."], refused: true },
  { say: ["Replace \"token\" with \"key\" and \"access token\" with \"API key\" in api/."], refused: true },
  // A page has the address /quickstart.
  { say: ["Add a redirect from /quickstart to /install/linux."], calls: [["add_redirect", {"from": "/quickstart", "to": "/install/linux"}]] },
]; // oxfmt-ignore
