import type { CorpusEntry } from "./entry.ts";

/** Words behind a name or beside it that say when, why or of what, and are no part of it; keys that are no front matter. */
export const misledByAsides: readonly CorpusEntry[] = [
  {
    refused: true,
    say: [
      "Rename the group Guides to Recipes today",
      "Rename the group Guides to Recipes before Friday",
      "Rename the group Guides to Recipes because users asked",
      "Rename the group Guides to Recipes unless legal objects",
      "Rename the group Guides to Recipes when ready",
      "Rename the group Guides to Recipes next week",
      "Rename the group Guides to Recipes first",
      "Rename the group Guides to Recipes via docs.json",
      "Rename the group Guides to Recipes so nobody complains",
      "Rename the group Guides to Recipes across all languages",
      "Rename the group Guides to Recipes Or Cookbook",
      "Rename the group Guides to Recipes alongside API",
      "The group Guides should be renamed to Recipes today",
      "Rename the page Search to Find soon",
      "Rename the page Search to Find if you agree",
      "Rename the page Search to Find keep url",
      "Rename the page Search to Find rather than Search",
      "Rename the page Search to Find per DOCS-12",
      "Rename the page Search to Find see #12",
      "Rename the page Search to Find thanks Bob",
      "Rename the page Search to Find\ncloses #12",
    ],
  },
  {
    refused: true,
    say: [
      'Set the API key on quickstart to "abc"',
      "Remove the API key from quickstart",
      "Remove the access key from api/tokens",
      "Remove the required field from api/tokens",
      'Change the primary key of api/tokens to "id"',
      'Give quickstart the API key "abc"',
      'Add the field "email" to api/tokens',
      'Add a key "audience" to quickstart',
      'Set another key on index to "x"',
      'Set this key of index to "x"',
    ],
  },
  {
    say: [
      'Set the key audience of quickstart to "all"',
      'Set the front matter key audience of quickstart to "all"',
      'Set the "audience" key of quickstart to "all"',
    ],
    calls: [["set_front_matter", { page: "quickstart", key: "audience", value: "all" }]],
  },
];
