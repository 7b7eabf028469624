import type { CorpusEntry } from "./entry.ts";

/** By the same people: what no chore does, or what has two meanings. Where calls stand, a chore itself refuses them when it is tried. */
export const asFivePeopleRefused: readonly CorpusEntry[] = [
  { say: ["Docs: quickstart is hard to follow\n\nPlease rewrite the section \"Before you begin\" of quickstart so that it is easier to follow."], refused: true },
  { say: ["Docs: update to 2.7\n\nPlease update Harbor to v2.7 in install/."], refused: true },
  // Pages link to it, and it is not said where to.
  { say: ["Docs: quickstart is obsolete\n\nPlease remove the page quickstart."], calls: [["remove_page", { page: "quickstart" }]] },
  { say: ["Docs: inclusive wording\n\nPlease replace \"whitelist\" with \"allowlist\" everywhere except in tables."], refused: true },
  // "Overview" fits two pages, api/overview and operate/overview.
  { say: ["Docs: note on the Overview page\n\nPlease add a note to the Overview page with the text \"Only for admins.\""], calls: [["add_callout", {"page": "Overview", "kind": "note", "text": "Only for admins."}]] },
  { say: ["Docs: Harbormaster\n\nShould we hide operate/harbormaster?"], refused: true },
  // A page has the address /guides/deploy, so no redirect can start there.
  { say: ["Docs: redirect for the deploy guide\n\nPlease add a redirect from /guides/deploy to /quickstart."], calls: [["add_redirect", {"from": "/guides/deploy", "to": "/quickstart"}]] },
  { say: ["Please translate the page quickstart into German."], refused: true },
  { say: ["Please replace \"worker\" with \"agent\", but the plural forms shall be kept."], refused: true },
  { say: ["Bitte ersetze \"whitelist\" durch \"allowlist\" auf allen Seiten."], refused: true },
  { say: ["Please join the pages install/linux and install/docker to one page."], refused: true },
  // "The install page" fits install/linux, install/docker and install/windows; no single page is named.
  { say: ["On the install page please add a note with the text \"Root rights are needed.\""], calls: [["add_callout", {"page": "install", "kind": "note", "text": "Root rights are needed."}]] },
  { say: ["Please give to all images a fitting alternative text."], refused: true },
  { say: ["Please hide the page concepts/berths and bring the page concepts/berths back into the navigation."], refused: true },
  { say: ["In the section \"Rotation\" of concepts/secrets, replace \"quickstart\" with \"first steps\"."], refused: true },
  { say: ["On the Berths page, improve the wording of the section \"Naming\"."], refused: true },
  { say: ["On the Environment variables page, move the section \"Logging\" above \"Proxy\"."], refused: true },
  { say: ["On the Secrets page, add a note."], refused: true },
  { say: ["On the Monitoring page, add a section titled \"Dashboards\" with the text: a short list of the dashboards that we ship"], refused: true },
  { say: ["On the Deploy a service page, convert the tabs to accordions."], refused: true },
  // The instructions contradict each other: the section that is to hold the note is removed.
  { say: ["On the Quickstart page, remove the section \"Install\" and add a note below \"Install\" saying \"Docker is required.\""], calls: [["remove_section", {"page": "Quickstart", "title": "Install"}], ["add_callout", {"page": "Quickstart", "kind": "note", "text": "Docker is required.", "section": "Install"}]] },
  { say: ["Please also replace \"whitelist\" with \"allowlist\" and fix broken links in guides/."], refused: true },
  { say: ["Please also:\n\n1. Replace \"berth\" with \"slot\" everywhere.\n2. Replace \"berth\" with \"dock\" everywhere."], refused: true },
  { say: ["Please also:\n\n1. Fix broken links everywhere.\n2. Correct the spelling mistakes on all pages.\n3. Add missing descriptions."], refused: true },
  { say: ["Please also set the tag of All pages to \"Stable\"."], refused: true },
  { say: ["Please also:\n\n1. Use sentence case for headings.\n2. Use title case for headings."], refused: true },
  { say: ["Please also delete the group \"Advanced\" with all its pages."], refused: true },
  { say: ["Please also do this: in guides/, replace \"webhook\" with \"callback\"; add missing descriptions."], refused: true },
  { say: ["make quickstart shorter pls"], refused: true },
  { say: ["rename secrets to vault"], refused: true },
  { say: ["fix typos pls"], refused: true },
  // Such a redirect would take every address without a page; the page says it is refused.
  { say: ["redirect /* to quickstart"], calls: [["add_redirect", {"from": "/*", "to": "quickstart"}]] },
  { say: ["add a page about pricing"], refused: true },
  { say: ["replace webhook with callback before friday"], refused: true },
  { say: ["remove the guides"], refused: true },
]; // oxfmt-ignore
