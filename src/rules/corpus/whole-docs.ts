import type { CorpusEntry } from "./entry.ts";

export const wholeDocs: readonly CorpusEntry[] = [
  {
    calls: [["changelog_from_history", { version: "2.7", since: "v2.6" }]],
    say: [
      "Add a changelog entry for 2.7 from the git history since v2.6",
      "Add the 2.7 release to the changelog, from the commits since v2.6",
      "changelog: add 2.7 with the commits since v2.6",
      "Update the changelog for 2.7 from the git log since tag v2.6",
      "Generate the changelog entry for version 2.7 from the commits since v2.6.",
    ],
  },
  {
    calls: [["changelog_from_history", { version: "2.7" }]],
    say: [
      "Add a changelog entry for 2.7 from the git history",
      "Add a changelog entry for 2.7 from the commits since the last tag",
    ],
  },
  {
    calls: [["changelog_from_history", { version: "2.7", since: "v2.6", source: "server" }]],
    say: [
      "Add a changelog entry for 2.7 from source server since v2.6",
      "Add 2.7 to the changelog from the commits of the source server since v2.6",
    ],
  },
  {
    calls: [["openapi_pages", { file: "openapi.yaml" }]],
    say: [
      "Create API reference pages from openapi.yaml",
      "Regenerate the API reference from openapi.yaml",
      "generate api reference pages from openapi.yaml",
      "Build the API reference out of openapi.yaml please",
      "The spec changed: update the API reference pages from openapi.yaml.",
    ],
  },
  {
    calls: [["openapi_pages", { file: "spec/v2.json", source: "server" }]],
    say: [
      "Create API reference pages from spec/v2.json of source server",
      "Generate the API reference from spec/v2.json in the source server",
    ],
  },
  {
    calls: [["normalise_style", { listMarker: "-" }]],
    say: [
      'Use "-" as list markers',
      'Use "-" for all bullet lists',
      "Use hyphens as list markers everywhere",
      'lists: use "-" as the bullet marker consistently',
    ],
  },
  {
    calls: [["normalise_style", { headingCase: "sentence" }]],
    say: [
      "Use sentence case for headings",
      "Convert all headings to sentence case",
      "headings should be in sentence case",
      "Make every heading sentence case",
      "style: sentence-case headings across the docs",
      "change headings from title case to sentence case",
    ],
  },
  {
    calls: [["normalise_style", { headingCase: "title", in: ["reference/"] }]],
    say: [
      "Use title case for headings in reference/",
      "In reference/ headings should be title case",
      "Title-case the headings under reference/",
    ],
  },
  {
    calls: [["audit", {}]],
    say: [
      "Audit the docs",
      "run a docs audit",
      "Do a full audit of the documentation and report what you find, change nothing.",
    ],
  },
];
