import { z } from "zod";
import { readFrontMatter } from "#docs/front-matter.ts";
import { anchorsOf } from "#docs/links/headings.ts";
import { createSeals } from "./sealed-text.ts";
import { markdownFormat } from "#docs/parser.ts";
import { defineTool, type Tool } from "./tool.ts";
import { count, done, refused } from "./outcome.ts";
import { pathOfFile, readTextFile } from "./text-file.ts";

const MAX_ANCHORS = 500;

export function outlinePageTool(): Tool {
  return defineTool({
    name: "outline_page",
    description:
      "Shows the shape of a Markdown or MDX page: its front matter and its headings with line numbers and anchors. " +
      "Cheaper than reading it, and says whether the page can be parsed.",
    input: z.strictObject({ path: z.string().min(1).max(1_000) }),
    mutates: false,
    async run({ path: given }, { tree, parser, redact }) {
      const path = await pathOfFile(tree, given);
      const format = markdownFormat(path);
      if (format === null) return refused(`Could not outline ${path}`, "Only .md and .mdx pages have an outline.");
      const file = await readTextFile(tree, path);
      if (!file.ok) return refused(`Could not outline ${path}`, file.message);
      // On the whole text: in the outline, a key over several lines, or in the form of an anchor, would not be detected.
      const seals = createSeals(redact);
      const text = seals.seal(file.text);
      const outcome = await parser.parse(text, format);
      if (!outcome.ok) {
        const where = outcome.line === null ? "" : ` (line ${outcome.line})`;
        return refused(`Could not parse ${path}`, `The page does not parse: ${outcome.message}${where}`);
      }
      const { attributes, problem } = readFrontMatter(text);
      const anchors = anchorsOf(outcome.root).slice(0, MAX_ANCHORS);
      const headings = anchors.filter((anchor) => anchor.kind === "heading");
      const outline = {
        path,
        frontMatter: attributes,
        frontMatterProblem: problem,
        totalLines: text.split("\n").length,
        headings: headings.map(({ depth, text, id, line }) => ({ line, depth, text, anchor: `#${id}` })),
        otherAnchors: anchors
          .filter(({ kind }) => kind !== "heading")
          .map(({ id, line }) => ({ line, anchor: `#${id}` })),
      };
      return done(
        `Outlined ${path}: ${count(headings.length, "heading")}`,
        JSON.parse(seals.mask(JSON.stringify(outline))),
      );
    },
  });
}
