import { createLinkCache } from "#content/links.ts";
import { createPageHeads } from "#content/page-tree.ts";
import type { Tool } from "#agent/tool.ts";
import { addPageTool } from "#agent/chores/add-page.ts";
import { altTextTools } from "#agent/chores/alt-text.ts";
import { auditTool } from "#agent/chores/audit.ts";
import { createChoreDeps } from "#agent/chores/chore.ts";
import { changelogTool } from "#agent/chores/changelog.ts";
import { checkLinksTool, fixLinksTool } from "#agent/chores/check-links.ts";
import { sectionTools } from "#agent/chores/edit-section.ts";
import { movePageTool } from "#agent/chores/move-page.ts";
import { navigationTools } from "#agent/chores/navigation-chores.ts";
import { normaliseStyleTool } from "#agent/chores/normalise-style.ts";
import { openapiPagesTool } from "#agent/chores/openapi-pages.ts";
import { removePageTool } from "#agent/chores/remove-page.ts";
import { replaceTermTool } from "#agent/chores/replace-term.ts";
import { frontMatterTools } from "#agent/chores/set-front-matter.ts";
import type { DocsCaches } from "#agent/chores/workspace.ts";
import { checkChoresTool } from "./check-chores.ts";
import { deleteFileTool } from "./delete-file.ts";
import { editFileTool } from "./edit-file.ts";
import { finishTool } from "./finish.ts";
import { listFilesTool } from "./list-files.ts";
import { moveFileTool } from "./move-file.ts";
import { outlinePageTool } from "./outline-page.ts";
import { readFileTool } from "./read-file.ts";
import { searchFilesTool } from "./search-files.ts";
import { writeFileTool } from "./write-file.ts";

/**
 * Every tool of the agent: files, chores, the trial run of chores, and `finish`. Make the list once per process and
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
    auditTool(deps),
  ];
  return [...files, ...chores, checkChoresTool(chores), finishTool()];
}
