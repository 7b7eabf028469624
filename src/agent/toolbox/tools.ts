import { createLinkCache } from "#content/links/parsed-file.ts";
import { createPageHeads } from "#content/page-tree.ts";
import type { Tool } from "#agent/tool.ts";
import { addPageTool } from "#agent/chores/add-page.ts";
import { altTextTools } from "#agent/chores/alt-text.ts";
import { auditTool } from "#agent/chores/audit.ts";
import { createChoreDeps } from "#agent/chores/chore.ts";
import { changelogTool } from "#agent/chores/changelog.ts";
import { checkLinksTool, fixLinksTool } from "#agent/chores/check-links.ts";
import { sectionTools } from "#agent/chores/edit-section.ts";
import { groupTools } from "#agent/chores/group-chores.ts";
import { movePageTool } from "#agent/chores/move-page.ts";
import { navigationTools } from "#agent/chores/navigation-chores.ts";
import { normaliseStyleTool } from "#agent/chores/normalise-style.ts";
import { openapiPagesTool } from "#agent/chores/openapi-pages.ts";
import { redirectTools } from "#agent/chores/redirect-chores.ts";
import { removePageTool } from "#agent/chores/remove-page.ts";
import { replaceTermTool } from "#agent/chores/replace-term.ts";
import { undoChangesTool } from "#agent/chores/undo-changes.ts";
import { frontMatterTools } from "#agent/chores/set-front-matter.ts";
import { sourceFileTools } from "#agent/source-tools/source-files.ts";
import { sourceHistoryTools } from "#agent/source-tools/source-history.ts";
import type { DocsCaches } from "#agent/chores/edits/workspace.ts";
import { checkChoresTool } from "./check-chores.ts";
import { lookUpNamesTool } from "./look-up-names.ts";
import { deleteFileTool } from "#agent/tools/delete-file.ts";
import { editFileTool } from "#agent/tools/edit-file.ts";
import { finishTool } from "#agent/tools/finish.ts";
import { listFilesTool } from "#agent/tools/list-files.ts";
import { moveFileTool } from "#agent/tools/move-file.ts";
import { outlinePageTool } from "#agent/tools/outline-page.ts";
import { readFileTool } from "#agent/tools/read-file.ts";
import { searchFilesTool } from "#agent/tools/search-files.ts";
import { writeFileTool } from "#agent/tools/write-file.ts";

/**
 * Every tool of the agent: files, sources, chores, the trial run of chores, and `finish`. Make the list once per process and
 * use it for all jobs: it keeps what it learned of file versions in bounded caches, which the gate may share.
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
  const chores = [
    replaceTermTool(deps),
    checkLinksTool(deps),
    fixLinksTool(deps),
    addPageTool(deps),
    movePageTool(deps),
    removePageTool(deps),
    ...sectionTools(deps),
    ...frontMatterTools(deps),
    ...altTextTools(deps),
    changelogTool(deps),
    openapiPagesTool(deps),
    normaliseStyleTool(deps),
    ...navigationTools(deps),
    ...groupTools(deps),
    ...redirectTools(deps),
    auditTool(deps),
    undoChangesTool(caches),
  ];
  const sources = [...sourceFileTools(), ...sourceHistoryTools()];
  return [...files, ...sources, ...chores, checkChoresTool(chores), lookUpNamesTool(caches), finishTool()];
}
