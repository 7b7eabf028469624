import { withoutByteOrderMark, decodeText } from "#docs/text-encoding.ts";
import { markdownFormat } from "#docs/parser.ts";
import { joinContentRoot, stripContentRoot } from "#docs/routes.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import type { RenderedPage, RenderInput } from "./page.ts";

/** A page's file as people get it, without colours of code; null where it is no page or is not there. */
export async function renderFile(
  render: (input: RenderInput) => Promise<RenderedPage>,
  { owner, path, snapshot, contentRoot }: { owner: string; path: string; snapshot: Snapshot; contentRoot: string },
): Promise<RenderedPage | null> {
  const format = markdownFormat(path);
  const bytes = format === null ? null : await snapshot.read(path);
  if (format === null || bytes === null) return null;
  return await render({
    owner,
    path: stripContentRoot(path, contentRoot) ?? path,
    source: withoutByteOrderMark(decodeText(bytes).text),
    format,
    isColoured: false,
    async readInclude(included) {
      const file = await snapshot.read(joinContentRoot(included, contentRoot));
      return file === null ? null : decodeText(file).text;
    },
  });
}
