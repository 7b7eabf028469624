import type { Docs } from "#docs/tree/page-tree.ts";
import type { Workspace } from "#chores/edits/workspace.ts";
import type { MoveReport } from "./move-report.ts";

const HOST_FILES = ["netlify.toml", "vercel.json"];

/** Redirects of the host, and the theme of MkDocs: Docent does not read them. */
export async function tellOfOthers(workspace: Workspace, { tool }: Docs, report: MoveReport): Promise<void> {
  for (const path of HOST_FILES)
    if ((await workspace.text(path))?.includes("redirects"))
      report.note(`Redirects in \`${path}\` are those of your host: add those that Docent should have to docs.json.`);
  const settings = tool?.file ? ((await workspace.text(tool.file)) ?? "") : "";
  const own = ["custom_dir", "extra_css", "extra_javascript"].filter((name) => new RegExp(`^\\s*${name}:`, "m").test(settings)); // oxfmt-ignore
  if (own.length > 0) report.note(`Not moved: templates, styles and scripts of the theme (${own.join(", ")}).`);
}
