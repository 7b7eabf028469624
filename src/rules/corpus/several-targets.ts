import { type CorpusEntry, term } from "./entry.ts";

const warned = { kind: "note", text: "Prices change often." };

/** One instruction for several pages, redirects or sections, “its”, and what newcomers call the same things. */
export const severalTargets: readonly CorpusEntry[] = [
  {
    say: ["Please redirect /pods and /workers to /quickstart", "redirect /pods, and /workers to quickstart"],
    calls: [
      ["add_redirect", { from: "/pods", to: "quickstart" }],
      ["add_redirect", { from: "/workers", to: "quickstart" }],
    ],
  },
  {
    say: ["Redirects:\n- /old/tokens -> /api/tokens\n- /old/errors -> /api/errors"],
    calls: [
      ["add_redirect", { from: "/old/tokens", to: "/api/tokens" }],
      ["add_redirect", { from: "/old/errors", to: "/api/errors" }],
    ],
  },
  {
    say: ["Remove the pages install/windows and guides/migrate and redirect both to quickstart."],
    calls: [
      ["remove_page", { page: "install/windows", redirectTo: "quickstart" }],
      ["remove_page", { page: "guides/migrate", redirectTo: "quickstart" }],
    ],
  },
  {
    say: [
      'Add a note saying "Prices change often." to quickstart, api/tokens and api/errors.',
      'Add a note to quickstart, api/tokens and api/errors with the text "Prices change often."',
    ],
    calls: ["quickstart", "api/tokens", "api/errors"].map((page) => ["add_callout", { page, ...warned }] as const),
  },
  {
    say: ['Add a section "Support" after "Limits" to both guides/search and guides/redirects with the text "Ask us."'],
    calls: ["guides/search", "guides/redirects"].map(
      (page) => ["add_section", { page, title: "Support", text: "Ask us.", after: "Limits" }] as const,
    ),
  },
  {
    say: ['Remove the sections "Schedule" and "Restore" from guides/backups.'],
    calls: [
      ["remove_section", { page: "guides/backups", title: "Schedule" }],
      ["remove_section", { page: "guides/backups", title: "Restore" }],
    ],
  },
  {
    say: ['Set the alt text of images/topology.png to "A berth" and that of images/sign-in.png to "Sign in"'],
    calls: [
      ["set_alt_text", { image: "images/topology.png", alt: "A berth" }],
      ["set_alt_text", { image: "images/sign-in.png", alt: "Sign in" }],
    ],
  },
  {
    say: ["Move guides/search to start/search, guides/deploy to start/deploy."],
    calls: [
      ["move_page", { page: "guides/search", to: "start/search" }],
      ["move_page", { page: "guides/deploy", to: "start/deploy" }],
    ],
  },
  {
    say: ['Rename the page "Search" to "Find", and set its sidebar title to "Finding"'],
    calls: [
      ["move_page", { page: "guides/search", title: "Find" }],
      ["set_front_matter", { page: "Find", key: "sidebarTitle", value: "Finding" }],
    ],
  },
  {
    say: ['Give all pages in guides/ the tag "v1", except guides/search.'],
    calls: [["set_front_matter", { in: ["guides/"], except: ["guides/search"], key: "tag", value: "v1" }]],
  },
  {
    say: ['Tag every page in api/ with "Model".'],
    calls: [["set_front_matter", { in: ["api/"], key: "tag", value: "Model" }]],
  },
  {
    say: ["Give every page in guides/ a description.", "Every page in guides/ without a description should get one."],
    either: [[["add_missing_descriptions", { in: ["guides/"] }]], "refused"],
  },
  { say: ["Every page without a description should get one."], calls: [["add_missing_descriptions", {}]] },
  {
    say: [
      'On the page quickstart, say "app" wherever it says "service".',
      'Apply the term change "service" -> "app" on the page quickstart',
    ],
    calls: [term("service", "app", { in: ["quickstart"] })],
  },
  {
    say: [
      'Do not touch anything in guides/. Replace "service" with "app" in all other places.',
      'Replace "service" with "app" everywhere outside of the guides folder',
    ],
    calls: [term("service", "app", { except: ["guides/"] })],
  },
  { say: ['Replace "service" with "app" in all other places.', "Fix broken links everywhere else"], refused: true },
  {
    say: ["Move guides/search to start/search and leave a redirect behind."],
    calls: [["move_page", { page: "guides/search", to: "start/search" }]],
  },
  { say: ["Only fix broken anchors, nothing else."], calls: [["fix_links", { only: "anchors" }]] },
  { say: ["Fix whatever broken links there are under api/."], calls: [["fix_links", { in: ["api/"] }]] },
  { say: ["run a link check on api/ and report back"], calls: [["check_links", { in: ["api/"] }]] },
  {
    say: ["We no longer need the redirect from /setup, drop it."],
    calls: [["remove_redirect", { from: "/setup" }]],
  },
  {
    say: ['In the sidebar, call the group "Guides" "Recipes" from now on.'],
    calls: [["rename_group", { group: "Guides", to: "Recipes" }]],
  },
  {
    say: ['Move the "Concepts" group so that it comes before "Guides".'],
    calls: [["move_group", { group: "Concepts", before: "Guides" }]],
  },
  {
    say: [
      "chore: clean up nav entries that point at pages which no longer exist",
      "Remove dead entries from the navigation",
    ],
    calls: [["repair_navigation", {}]],
  },
  {
    say: ["Some pages are not in the sidebar. Add the missing ones."],
    calls: [["repair_navigation", { addOrphans: true }]],
  },
  { say: ["Are there pages nobody can reach from the navigation?"], calls: [["orphan_report", {}]] },
  {
    say: ['Replace what is under "Limits" on guides/search with "None."'],
    calls: [["replace_section", { page: "guides/search", title: "Limits", text: "None." }]],
  },
  {
    say: ['Kill the "Limits" section in guides/search.'],
    calls: [["remove_section", { page: "guides/search", title: "Limits" }]],
  },
];
