import type { CorpusEntry } from "./entry.ts";

const beta = { key: "tag", value: "Beta" };

export const fieldsAndImages: readonly CorpusEntry[] = [
  {
    calls: [["set_front_matter", { page: "quickstart", key: "description", value: "Run Harbor in five minutes." }]],
    say: [
      'Set the description of quickstart to "Run Harbor in five minutes."',
      'Change the meta description of the Quickstart page to "Run Harbor in five minutes."',
      'quickstart: description "Run Harbor in five minutes."',
      'Give the quickstart page the description "Run Harbor in five minutes."',
      'Use "Run Harbor in five minutes." as the description of quickstart',
      'The description of quickstart.mdx should be "Run Harbor in five minutes."',
      'Add the description "Run Harbor in five minutes." to the page quickstart',
    ],
  },
  {
    calls: [["set_front_matter", { page: "reference/config", key: "sidebarTitle", value: "Config" }]],
    say: [
      'Set the sidebar title of reference/config to "Config"',
      'set sidebarTitle: "Config" on reference/config',
      'In the sidebar, the page "Configuration" should show as "Config".',
      "Set the sidebar title of the Configuration page to Config.",
    ],
  },
  {
    calls: [["set_front_matter", { page: "operate/monitoring", key: "icon", value: "gauge" }]],
    say: [
      'Set the icon of operate/monitoring to "gauge"',
      'Use the icon "gauge" for the Monitoring page',
      "change the icon of operate/monitoring to gauge",
    ],
  },
  {
    calls: [["set_front_matter", { page: "operate/harbormaster", ...beta }]],
    say: [
      'Set the tag of operate/harbormaster to "Beta"',
      'Tag the Harbormaster page as "Beta"',
      'add the tag "Beta" to operate/harbormaster',
    ],
  },
  {
    calls: [["set_front_matter", { page: "concepts/secrets", key: "tag", value: null }]],
    say: [
      "Remove the tag from concepts/secrets",
      "Secrets is out of beta: remove the tag of the page concepts/secrets",
      "delete the tag key from the front matter of concepts/secrets",
    ],
  },
  {
    calls: [["set_front_matter", { page: "index", key: "icon", value: null }]],
    say: ["Remove the icon from the Introduction page", "remove the icon of index.mdx"],
  },
  {
    calls: [["set_front_matter", { page: "api/tokens", key: "keywords", value: ["auth", "secret"], add: true }]],
    say: [
      'Add the keywords "auth" and "secret" to api/tokens',
      'add keywords "auth", "secret" to the Tokens page',
      'Tokens page: add "auth" and "secret" to the keywords',
    ],
  },
  {
    calls: [["set_front_matter", { page: "guides/search", key: "keywords", value: ["synonyms", "ranking"] }]],
    say: [
      'Set the keywords of guides/search to "synonyms" and "ranking"',
      'Set the keywords of the Search page to "synonyms", "ranking".',
    ],
  },
  {
    calls: [["set_front_matter", { in: ["api/"], ...beta }]],
    say: [
      'Set the tag of all pages in api/ to "Beta"',
      'Tag every page under api/ as "Beta"',
      'For all pages in api/, set tag to "Beta".',
      'add tag: "Beta" to the front matter of every page in the api folder',
    ],
  },
  {
    calls: [["set_front_matter", { in: ["guides/advanced/"], key: "icon", value: null }]],
    say: [
      "Remove the icon from all pages in guides/advanced/",
      "strip the icon key from the front matter of every page under guides/advanced",
    ],
  },
  {
    calls: [["set_front_matter", { in: ["install/linux", "install/docker"], key: "audience", value: "admins" }]],
    say: [
      'Set the key audience to "admins" on install/linux and install/docker',
      'set the front matter key "audience" to "admins" on the pages install/linux and install/docker',
    ],
  },
  // A word that pages do not say of themselves may be a heading, or the text.
  { say: ['Set audience to "admins" on install/linux and install/docker'], refused: { names: "audience" } },
  {
    calls: [["add_missing_descriptions", {}]],
    say: [
      "Add missing descriptions",
      "add descriptions to all pages that don't have one",
      "Fill in missing meta descriptions, use the first sentence of each page",
      "some pages have no description, please add the missing ones",
      "SEO: add missing page descriptions",
    ],
  },
  {
    calls: [["add_missing_descriptions", { in: ["concepts/"] }]],
    say: [
      "Add missing descriptions in concepts/",
      "In the concepts folder, add descriptions where they are missing.",
      "add missing meta descriptions for pages under concepts/ only",
    ],
  },
  {
    calls: [["set_alt_text", { image: "images/console.svg", alt: "The console with three services" }]],
    say: [
      'Set the alt text of images/console.svg to "The console with three services"',
      'images/console.svg needs the alt text "The console with three services"',
      'Add the alt text "The console with three services" to images/console.svg',
      'Use "The console with three services" as alt text for console.svg',
      'alt text for images/console.svg: "The console with three services"',
    ],
  },
  {
    calls: [["set_alt_text", { image: "images/divider.svg", alt: "" }]],
    say: [
      "Mark the image images/divider.svg as decorative",
      "images/divider.svg is decorative, so mark it as such",
      "mark divider.svg as a decorative image",
    ],
  },
  {
    calls: [["report_missing_alt", {}]],
    say: [
      "List images without alt text",
      "which images have no alt text?",
      "Find all images that are missing alt text",
      "report images lacking alt attributes",
    ],
  },
  {
    calls: [["report_missing_alt", { in: ["guides/"] }]],
    say: ["List images without alt text in guides/", "Which images under guides/ are missing alt text?"],
  },
];
