import type { CorpusEntry } from "./entry.ts";

/** By the same people: what no chore does, or what has two meanings. Where calls stand, a chore itself refuses them when it is tried. */
export const asWishedRefused: readonly CorpusEntry[] = [
  { say: ["Fix broken links everywhere except in the changelog."], refused: true },
  { say: ["Replace \"Harbor Cloud\" with \"Harbor One\" in redirects."], refused: true },
  { say: ["Audit only the pages in api/."], refused: true },
  { say: ["Replace \"token\" with \"key\" and \"access token\" with \"API key\" everywhere."], refused: true },
  { say: ["Add a section titled \"Exit codes\" to support/faq with the text: a short table of the most important exit codes"], refused: true },
  { say: ["Turn the Tabs on the quickstart into Steps."], refused: true },
  { say: ["Search must be hidden."], refused: true },
  { say: ["Rename Harbormaster to Pilot."], refused: true },
  { say: ["Please translate the FAQ page into Spanish."], refused: true },
  { say: ["Set the tag of api/tokens to \"New\" and remove the tag from api/tokens."], refused: true },
  // A page has the address /api/errors.
  { say: ["Add a redirect from /api/errors to /support/troubleshooting."], calls: [["add_redirect", {"from": "/api/errors", "to": "/support/troubleshooting"}]] },
  { say: ["Make the Introduction friendlier and a bit shorter."], refused: true },
  { say: ["Fix broken links before the release on Friday."], refused: true },
  { say: ["Replace \"webhook\" with \"callback\" everywhere except in tables."], refused: true },
  { say: ["The group \"API\" should have the tag \"Beta\"."], refused: true },
  { say: ["Replace \"service\" with \"app\" in operate/ but keep the plurals."], refused: true },
  { say: ["Add a page titled Backups for beginners under \"Guides\" with the text \"Start with a daily schedule.\""], refused: true },
  { say: ["\"worker\" is now called \"runner\"."], refused: true },
  { say: ["Change \"Limits\" to \"Quotas\" in headings and in guides/."], refused: true },
  { say: ["The CTO cannot stand the word \"whitelist\". Replace \"whitelist\" with \"allowlist\" everywhere."], refused: true },
  { say: ["Can anybody fix the broken links in api/?"], refused: true },
  { say: ["Lastly, fix broken links. Hide operate/upgrade."], refused: true },
  { say: ["Replace \"webhook\" with \"callback\" everywhere. Add missing descriptions. Do not touch the changelog."], refused: true },
  // All pages link to quickstart and no page to redirect to is named.
  { say: ["Delete the quickstart page."], calls: [["remove_page", {"page": "quickstart"}]] },
  { say: ["Set the icon of All pages to \"anchor\"."], refused: true },
  { say: ["In guides/, replace \"whitelist\" with \"allowlist\"; add missing descriptions."], refused: true },
  { say: ["Change \"berth\" to \"slot\" and repair broken links in concepts/."], refused: true },
  { say: ["Should we redirect /start to the quickstart?"], refused: true },
  { say: ["Replace \"webhook\" with \"callback\", also in inline code but not in code blocks."], refused: true },
]; // oxfmt-ignore
