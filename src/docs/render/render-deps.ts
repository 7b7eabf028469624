import { loadParser } from "./fast-parser.ts";
import { createFormulas } from "./formulas/formulas.ts";
import { createHighlighter } from "./highlighter.ts";
import { createIcons } from "./icons.ts";
import type { RenderDeps } from "./render-page.ts";
import { createPageStyles } from "./styles/page-styles.ts";

/** What renders pages in this process. `now` is the clock that bounds how long a page may take, in milliseconds. */
export async function createRenderDeps(now: () => number): Promise<RenderDeps> {
  return {
    parser: await loadParser(),
    highlighter: await createHighlighter(now),
    icons: createIcons(),
    formulas: createFormulas(now),
    styles: createPageStyles(),
    now,
  };
}
