import type { Page } from "#docs/tree/page-tree.ts";
import type { Problem } from "#docs/problems.ts";
import { joinContentRoot } from "#docs/routes.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";

/** What the report says nothing of, as the machine was busy with other things: it is not known to be right, nor to be wrong. */
const notChecked = (path: string, message: string): Problem => ({
  severity: "warning",
  code: "not_checked",
  path,
  line: null,
  message,
});

export const pageNotChecked = ({ path }: Page): Problem =>
  notChecked(path, "The page was not looked at: the machine was too busy to render it in time.");

export const descriptionsNotChecked = ({ awaited, docs }: SiteVersion): Problem[] =>
  awaited.paths.map((path) =>
    notChecked(
      /^https?:/i.test(path) ? (docs.configFile ?? docs.contentRoot) : joinContentRoot(path, docs.contentRoot),
      `The description of an API was not looked at: the machine was too busy to read ${path.slice(0, 200)} in time. Its pages are missing here.`,
    ),
  );

/** They may lead to pages of descriptions that were not read. */
export const linksNotChecked = ({ docs }: SiteVersion, count: number): Problem =>
  notChecked(
    docs.configFile ?? docs.contentRoot,
    `${count} links were not looked at: they may lead to pages of the descriptions that were not read.`,
  );

export const pagesLeftOut = ({ docs }: SiteVersion, count: number): Problem =>
  notChecked(
    docs.configFile ?? docs.contentRoot,
    `${count} pages were not looked at: those before them took longer than two hours to render.`,
  );
