import { readFrontMatter } from "#docs/front-matter.ts";
import { AppError } from "#lib/app-error.ts";
import { setFrontMatter } from "./front-matter-edits.ts";
import { headingWordsEnd } from "./markdown-text.ts";
import { editText } from "./page-edits.ts";
import type { Workspace } from "./workspace.ts";

/** Changes a page's title where the page has it: in the front matter, else in its first heading, else new in the front matter. */
export async function setPageTitle(workspace: Workspace, path: string, title: string): Promise<void> {
  const text = await workspace.text(path);
  if (text === null) throw new AppError("not_found", `There is no page ${path}.`);
  const { attributes } = readFrontMatter(text);
  const root = await workspace.parse({ path, text });
  const heading = root?.children.find((node) => node.type === "heading" && node.depth === 1);
  const first = heading?.type === "heading" ? heading.children[0]?.position?.start.offset : undefined;
  const last = heading?.type === "heading" ? headingWordsEnd(text, heading) : null;
  if ("title" in attributes || first === undefined || last === null) {
    await workspace.write(path, setFrontMatter(text, { title }));
  } else await workspace.write(path, editText(text, [{ start: first, end: last, text: title }]));
}
