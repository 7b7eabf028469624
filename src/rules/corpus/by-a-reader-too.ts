import type { CorpusEntry } from "./entry.ts";

const matter = (page: string, key: string, value: unknown, rest: Record<string, unknown> = {}) =>
  ["set_front_matter", { page, key, value, ...rest }] as const;

/** Written from the documentation page and the example repository alone, without sight of the grammar or the other corpus. */
export const byAReaderToo: readonly CorpusEntry[] = [
  {
    say: ["Could you move guides/search.mdx to concepts/search.mdx?"],
    calls: [["move_page", { page: "guides/search", to: "concepts/search" }]],
  },
  {
    say: ["Move the page guides/migrate to install/migrate without a redirect."],
    calls: [["move_page", { page: "guides/migrate", to: "install/migrate", redirect: false }]],
  },
  {
    say: ["Move guides/advanced/tls to the Operations group."],
    calls: [["move_page", { page: "guides/advanced/tls", group: "Operations" }]],
  },
  {
    say: ['Rename the page "Back up a cluster" to "Backups and restore".'],
    either: [
      [["move_page", { page: "guides/backups", title: "Backups and restore" }]],
      [["move_page", { page: "guides/backups", title: "Backups and restore", to: "guides/backups-and-restore" }]],
    ],
  },
  {
    say: [
      "Nobody migrates from Dockhand anymore. Please delete the page guides/migrate and redirect it to the quickstart.",
      'Delete the page "Migrate from Dockhand" and redirect it to "Quickstart".',
    ],
    calls: [["remove_page", { page: "guides/migrate", redirectTo: "quickstart" }]],
  },
  { say: ["Remove the Roadmap page, please."], calls: [["remove_page", { page: "drafts/roadmap" }]] },
  {
    say: ["Delete these pages:\n- drafts/roadmap\n- guides/migrate"],
    calls: [
      ["remove_page", { page: "drafts/roadmap" }],
      ["remove_page", { page: "guides/migrate" }],
    ],
  },
  { say: ["Please hide the Harbormaster page."], calls: [matter("operate/harbormaster", "hidden", true)] },
  {
    say: ["Hide these pages:\n- operate/upgrade\n- the Monitoring page"],
    calls: [matter("operate/upgrade", "hidden", true), matter("operate/monitoring", "hidden", true)],
  },
  {
    say: ["Unhide the Roadmap page."],
    either: [[matter("drafts/roadmap", "hidden", null)], [matter("drafts/roadmap", "hidden", false)]],
  },

  // ---- Content of a page: inside ----
  {
    say: ['Add a section titled "Feedback" to the page quickstart with the text "Write to us."'],
    calls: [["add_section", { page: "quickstart", title: "Feedback", text: "Write to us." }]],
  },
  {
    say: [
      'On the Deploy a service page, add a section "Canary releases" before "Roll back" with the text: Send one tenth of the traffic first.',
      'Add a section titled "Canary releases" to guides/deploy before "Roll back" with the text "Send one tenth of the traffic first."',
    ],
    calls: [
      [
        "add_section",
        {
          page: "guides/deploy",
          title: "Canary releases",
          before: "Roll back",
          text: "Send one tenth of the traffic first.",
        },
      ],
    ],
  },
  {
    say: ['Replace the section "Secrets" on the page Back up a cluster with the text "Backups hold no secrets."'],
    calls: [["replace_section", { page: "guides/backups", title: "Secrets", text: "Backups hold no secrets." }]],
  },
  {
    say: ["Delete the Known issues section from the Install on Windows page."],
    calls: [["remove_section", { page: "install/windows", title: "Known issues" }]],
  },
  {
    say: ['Please add a warning to the "Upgrade Harbor" page with the text: Back up first.'],
    calls: [["add_callout", { page: "operate/upgrade", kind: "warning", text: "Back up first." }]],
  },
  {
    say: ['Add a tip to install/linux below "Requirements" with the text "Use a recent kernel."'],
    calls: [
      ["add_callout", { page: "install/linux", kind: "tip", section: "Requirements", text: "Use a recent kernel." }],
    ],
  },
  {
    say: ['Please change the description of the Quickstart page to "Your first service in five minutes."'],
    calls: [matter("quickstart", "description", "Your first service in five minutes.")],
  },
  {
    say: ['Set the sidebar title of guides/backups to "Backups".'],
    calls: [matter("guides/backups", "sidebarTitle", "Backups")],
  },
  {
    say: ['Set the title of support/faq to "Frequently asked questions" and its icon to "circle-question".'],
    either: [
      [matter("support/faq", "title", "Frequently asked questions"), matter("support/faq", "icon", "circle-question")],
      "refused",
    ],
  },
  {
    say: ['Add the keywords "bearer" and "secret key" to api/tokens.'],
    calls: [matter("api/tokens", "keywords", ["bearer", "secret key"], { add: true })],
  },
  {
    say: ['In api/, set the tag of all pages to "Beta".'],
    calls: [["set_front_matter", { in: ["api/"], key: "tag", value: "Beta" }]],
  },
  { say: ["Remove the icon from all pages."], calls: [["set_front_matter", { in: ["**"], key: "icon", value: null }]] },
  {
    say: ["Secrets are stable since 2.6. Please remove the tag from concepts/secrets."],
    calls: [matter("concepts/secrets", "tag", null)],
  },
  {
    say: ["In install/, please add the missing descriptions."],
    calls: [["add_missing_descriptions", { in: ["install/"] }]],
  },
  {
    say: ['Please set the alt text of the image images/console.svg to "The console with two services".'],
    calls: [["set_alt_text", { image: "images/console.svg", alt: "The console with two services" }]],
  },
  {
    say: ["images/divider.svg is only a line. Mark the image images/divider.svg as decorative."],
    calls: [["set_alt_text", { image: "images/divider.svg", alt: "" }]],
  },
  { say: ["List all images without alt text, please."], calls: [["report_missing_alt", {}]] },

  // ---- The whole docs: inside ----
  {
    say: ["Add a changelog entry for 2.7 from the git history since v2.6."],
    calls: [["changelog_from_history", { version: "2.7", since: "v2.6" }]],
  },
  {
    say: ["Please add a changelog entry for 2.7 from source api since v2.6."],
    calls: [["changelog_from_history", { version: "2.7", since: "v2.6", source: "api" }]],
  },
  { say: ["Generate API reference pages from openapi.yaml."], calls: [["openapi_pages", { file: "openapi.yaml" }]] },
  {
    say: ['Use "-" as list markers and sentence case for headings.'],
    either: [
      [["normalise_style", { listMarker: "-", headingCase: "sentence" }]],
      [
        ["normalise_style", { listMarker: "-" }],
        ["normalise_style", { headingCase: "sentence" }],
      ],
    ],
  },
  {
    say: ["Use title case for headings in reference/."],
    calls: [["normalise_style", { headingCase: "title", in: ["reference/"] }]],
  },
  {
    say: ["Repair the navigation, then list orphan pages."],
    calls: [
      ["repair_navigation", {}],
      ["orphan_report", {}],
    ],
  },
];
