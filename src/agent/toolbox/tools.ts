import { createLinkCache } from "#docs/links/parsed-file.ts";
import { createPageHeads } from "#docs/tree/page-tree.ts";
import type { Tool } from "#tools/tool.ts";
import { addPageTool } from "#chores/add-page.ts";
import { altTextTools } from "#chores/alt-text.ts";
import { applyPatchTool } from "#chores/apply-patch.ts";
import { auditTool } from "#chores/audit.ts";
import { type ChoreFacts, type ChoreTool, createChoreDeps } from "#chores/chore.ts";
import { changelogTool } from "#chores/changelog.ts";
import { checkLinksTool, fixLinksTool } from "#chores/check-links.ts";
import { sectionTools } from "#chores/edit-section.ts";
import { groupTools } from "#chores/group-chores.ts";
import { movePageTool } from "#chores/move-page.ts";
import { moveToDocsJsonTool } from "#chores/move-to-docs-json.ts";
import { navigationTools } from "#chores/navigation-chores.ts";
import { normaliseStyleTool } from "#chores/normalise-style.ts";
import { openapiPagesTool } from "#chores/openapi-pages.ts";
import { redirectTools } from "#chores/redirect-chores.ts";
import { removePageTool } from "#chores/remove-page.ts";
import { replaceTermTool } from "#chores/replace-term.ts";
import { undoChangesTool } from "#chores/undo-changes.ts";
import { frontMatterTools } from "#chores/set-front-matter.ts";
import { sourceFileTools } from "#tools/sources/source-files.ts";
import { docsHistoryTools, sourceHistoryTools } from "#tools/sources/source-history.ts";
import type { DocsCaches } from "#chores/edits/workspace.ts";
import { checkChoresTool } from "./check-chores.ts";
import { lookUpNamesTool } from "./look-up-names.ts";
import { deleteFileTool } from "#tools/delete-file.ts";
import { editFileTool } from "#tools/edit-file.ts";
import { finishTool } from "#tools/finish.ts";
import { listFilesTool } from "#tools/list-files.ts";
import { moveFileTool } from "#tools/move-file.ts";
import { planTool } from "#tools/plan.ts";
import { outlinePageTool } from "#tools/outline-page.ts";
import { readFileTool } from "#tools/read-file.ts";
import { runSubtasksTool } from "#agent/subtasks-tool.ts";
import { searchFilesTool } from "#tools/search-files.ts";
import { readWebPageTool } from "#tools/web/read-web-page.ts";
import { writeFileTool } from "#tools/write-file.ts";
import { renderPageTool } from "./render-page.ts";
import { reviewChangesTool } from "./review-changes.ts";

const CHORES: readonly ChoreTool[] = [
  replaceTermTool,
  checkLinksTool,
  fixLinksTool,
  addPageTool,
  movePageTool,
  removePageTool,
  ...sectionTools,
  ...frontMatterTools,
  ...altTextTools,
  changelogTool,
  openapiPagesTool,
  normaliseStyleTool,
  ...navigationTools,
  ...groupTools,
  ...redirectTools,
  auditTool,
  applyPatchTool,
  moveToDocsJsonTool,
];

/** The chores that callers may ask for by name. */
export const CHORE_FACTS: readonly ChoreFacts[] = CHORES.map(({ chore }) => chore);

/**
 * Every tool of the agent: files, sources, chores and their trial run, history, review, and `finish`. Create the list
 * once per process and use it for all jobs: it caches facts about file versions in bounded caches, which the gate may
 * share.
 */
export function createAgentTools(caches: DocsCaches = { heads: createPageHeads(), links: createLinkCache() }): Tool[] {
  const deps = createChoreDeps(caches);
  const files = [
    listFilesTool(),
    readFileTool(),
    searchFilesTool(),
    outlinePageTool(),
    editFileTool(),
    writeFileTool(),
    moveFileTool(),
    deleteFileTool(),
  ];
  const chores = [...CHORES.map((toolOf) => toolOf(deps)), undoChangesTool(caches)];
  const sources = [...sourceFileTools(), ...sourceHistoryTools(), readWebPageTool()];
  const own = [planTool(), ...docsHistoryTools(), renderPageTool(), reviewChangesTool(), runSubtasksTool()];
  return [...files, ...sources, ...chores, ...own, checkChoresTool(chores), lookUpNamesTool(caches), finishTool()];
}
