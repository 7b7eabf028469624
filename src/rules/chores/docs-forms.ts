import { LOOK, THE } from "#rules/grammar/lexicon.ts";
import { DOCS } from "#rules/grammar/places.ts";
import { type ChoreForm, given, one } from "./chore-form.ts";

const DESCRIPTION = "([page|meta|seo|front-matter|frontmatter|front_matter] [page|meta] description|descriptions)";
const NONE = "(that|which (have|has none / (lack|lacks|miss|misses|need|needs (one|it|them / a description)) / (do_not|don't|does_not|doesn't have (one|any / a description))) / without [one|any / a description / descriptions] / missing (one|it|them / a description))"; // oxfmt-ignore
const FROM_SENTENCE = "[[,] (from|with|using|use / based on) [the|each|their|its] [page's] first sentence|sentences [of each|the|every page]]"; // oxfmt-ignore
/** A page without front matter gets it with its description. */
const WITH_MATTER = "[(front_matter|front-matter|frontmatter and|with)]";
const PART =
  "[(to|for|on [the] (page {inPage:page.named} / {inPage:page} page / {inPage:path} / pages (in|under) {inPage:path}))]";
const IMAGES = `([all|any|the]* images|image|pictures|screenshots)`;
const NO_ALT =
  "([that|which] (are missing / is missing / have no / has no / without / lacking / missing / lack / miss / with no) [an|any|missing|empty]* alt|alternative|alt-text [text|texts|attribute|attributes])";

const SINCE = "(since|after|from [the] [tag|commit|version] {since:revision})";
const VERSION = "([the] [version|release] {version:version} [release])";
const HISTORY =
  "(from|with|using|based_on [the] (git / [git|commit] history|log|commits [of the repository] / [commits|history|log of] [the] source {source:source}))";
const LAST_TAG = "[since|after the last tag|release]";
const LOG = "[the|a|an] changelog";

/** “The remaining headings” are those that another instruction leaves, but a style applies to all. */
const STYLED = THE.replace("|remaining", "");
const LISTS = `(${STYLED} [markdown|bullet|bulleted|list|unordered]* (list markers|marker|items|bullets / markers|marker|bullets|lists|bullet) / [the] (marker|markers|sign|signs of|for|in) ${STYLED} [markdown|bullet|bulleted|unordered]* lists)`;
const HEADINGS = `(${STYLED} headings|heading|headers)`;
const CASE = "({case:case} case / {case:case.joined})";

export const docsForms: readonly ChoreForm[] = [
  {
    tool: "add_missing_descriptions",
    forms: [
      `(add|generate|create|set|complete / fill in) ${THE} missing|absent|lacking ${DESCRIPTION} [to|for|on|in pages] ${PART} ${FROM_SENTENCE}`,
      `(add|generate|create|give|write|provide) [a|an|the] ${DESCRIPTION} to|for|on ${THE} pages|page ~ ${NONE} ${FROM_SENTENCE}`,
      `add ${DESCRIPTION} where they|one are|is missing`,
      `give (every|each page / all [the|our] pages) ~ ${WITH_MATTER} (a description / descriptions)`,
      `add|give ${WITH_MATTER} (a description / descriptions) to|for|on (every|each page / all [the|our] pages) ~ ${FROM_SENTENCE}`,
      `(some|many pages (have|has no ${DESCRIPTION})) [,] [please] add the missing ones|descriptions`,
    ],
    honours: ["in"],
    example: "Add missing descriptions",
    isForAllDocs: true,
    inputs: (slots, { in: within }) =>
      within !== undefined && slots["inPage"] !== undefined ? null : [given({ in: slots["inPage"] })],
  },
  {
    tool: "report_missing_alt",
    forms: [
      `(${LOOK} / tell me about) ${IMAGES} ~ ${NO_ALT}`,
      `${LOOK} [all|any|the]* missing [image] alt [text|texts]`,
      `which ${IMAGES} ~ ([are] ${NO_ALT} / (have|has no alt text|texts))`,
    ],
    honours: ["in"],
    example: "List images without alt text",
    inputs: () => [{}],
  },
  {
    tool: "changelog_from_history",
    forms: [
      `(add|create|write|generate|append|make|put) [a|an|the] [new] ([entry to|in] ${LOG} [entry] / changelog entry) [(in|on|to) {page:path}] [for ${VERSION}] ${HISTORY} [${SINCE}] ${LAST_TAG}`,
      `(add|create|write|generate) ${VERSION} to ${LOG} [,] ${HISTORY} [${SINCE}]`,
      `(add|create|write|generate) [a|an|the] [new] entry for ${VERSION} (to|in ${LOG}) ${HISTORY} [${SINCE}] ${LAST_TAG}`,
      `${LOG} : add ${VERSION} ${HISTORY} [${SINCE}]`,
      `update ${LOG} [page] [for ${VERSION}] ${HISTORY} [${SINCE}]`,
      `changelog entry for ${VERSION} [please] [,] ${HISTORY} [${SINCE}]`,
      `(add|create|write|generate) ${VERSION} to ${LOG} \\( commits ${SINCE} \\)`,
    ],
    example: 'Add a changelog entry for "version" from the git history since "tag"',
    inputs(slots) {
      const [path, version, source, since] = ["page", "version", "source", "since"].map((slot) => one(slots, slot));
      return [given({ page: path, version, source, since })];
    },
  },
  {
    tool: "openapi_pages",
    forms: [
      `(generate|regenerate|create|add|build|make|update) [the|an|a|our|new]* ([api] [reference|endpoint] [api] [pages|page|docs|documentation|reference] / pages (of|for [the] api reference)) (from|for|out_of|based_on) [the] [openapi|swagger] [file|spec|specification|description|document] {file:file} [(of|in|from) [the] source {source:source}] [(in|into|to) [the] [folder|directory] {folder:path}] [under [the] [group|section] {group:group} [group]]`,
    ],
    example: "Create API reference pages from openapi.yaml",
    isForAllDocs: true,
    inputs(slots) {
      const [file, source, folder, group] = ["file", "source", "folder", "group"].map((slot) => one(slots, slot));
      return /\.(?:json|ya?ml)$/i.test(file ?? "") ? [given({ file, source, folder, group })] : null;
    },
  },
  {
    tool: "normalise_style",
    forms: [
      `[consistently] use {marker:marker} [sign|signs] (as|for [the|a]) ${LISTS} [consistently]`,
      `use {marker:marker} instead of {before:marker} (as|for) ${LISTS}`,
      `${LISTS} (should|must [consistently] (use|have / be [written with])) {marker:marker} [[,] (not / instead of / rather than) {before:marker}]`,
      `(change|convert|switch|turn) ${LISTS} to|into {marker:marker}`,
      `lists : use {marker:marker} as [the|a] ${LISTS} [consistently]`,
    ],
    honours: ["in"],
    example: 'Use "-" as list markers',
    isForAllDocs: true,
    inputs(slots) {
      // Without “instead of” the lists get this marker, whatever they have now. A marker cannot replace itself.
      const [marker, before] = [one(slots, "marker"), one(slots, "before")];
      return marker === undefined || marker === before ? null : [given({ listMarker: marker, insteadOf: before })];
    },
  },
  {
    tool: "normalise_style",
    forms: [
      `(use|apply / switch|change to) ${CASE} (for|in|on|to) ${HEADINGS}`,
      `(convert|change|put|set|switch|turn|write|normalise|normalize|standardise|standardize|unify) ${HEADINGS} (to|in|into) ${CASE}`,
      `make ${HEADINGS} [use] ${CASE}`,
      `${HEADINGS} ~ [should|must be|use|have] [:|in|to] ${CASE}`,
      `${CASE} [for] ${HEADINGS}`,
    ],
    honours: ["in"],
    example: "Use sentence case for headings",
    isForAllDocs: true,
    inputs(slots) {
      return [{ headingCase: (one(slots, "case") ?? "").toLowerCase().replace(/-case$/, "") }];
    },
  },
  {
    tool: "normalise_style",
    forms: [
      `(apply|use|enforce|follow) [the|our] ([glossary|term_list|terms|terminology|word_list] [in|from|of|: [the|our]] [glossary] [file] {file:file.data} / terms from the glossary [file] {file:file.data}) [to|on ${DOCS} / to|on all pages]`,
      `(apply|enforce|follow) [the|our] glossary|term_list|terminology|word_list [to|on ${DOCS}]`,
    ],
    example: "Apply the glossary glossary.yaml",
    isForAllDocs: true,
    inputs: (slots) => [{ glossary: one(slots, "file") ?? "glossary.yaml" }],
  },
  {
    tool: "audit",
    forms: [
      `(audit|lint) [${DOCS} / pages]`,
      `(run|do|perform|make) [a|an|the] [full] [docs|documentation|content] audit [of (${DOCS} / pages)] [[,] [and] (report / tell me) what you find [[,] change nothing]]`,
      `(check|inspect|scan) (${DOCS} / [the|all] pages) [for problems|issues|errors|flaws|mistakes]`,
    ],
    example: "Audit the docs",
    inputs: () => [{}],
  },
];
