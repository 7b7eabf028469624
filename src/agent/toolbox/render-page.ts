import { z } from "zod";
import { createSeals } from "#tools/sealed-text.ts";
import { count, done, refused } from "#tools/outcome.ts";
import { pathOfFile } from "#tools/text-file.ts";
import { defineTool, type Flaw, type Tool } from "#tools/tool.ts";
import { flawLines } from "./flaw-lines.ts";

const MAX_CHARACTERS = 30_000;

/** Shows a model a page as readers see it. */
export function renderPageTool(): Tool {
  return defineTool({
    name: "render_page",
    description:
      "Renders a page as readers get it and answers with its text, headings, links and pictures, and with what is wrong on it: " +
      "components that do not exist, broken syntax, snippets, expressions and icons. Use it on pages that you wrote or changed.",
    input: z.strictObject({ path: z.string().min(1).max(1_000) }),
    mutates: false,
    forModels: true,
    async run({ path: given }, { tree, turn, redact, maxResultCharacters = Infinity }) {
      const path = await pathOfFile(tree, given);
      const page = turn ? await turn.render(tree, path) : null;
      if (!page) return refused(`Could not render ${path}`, `There is no page ${path}.`);
      const seals = createSeals(redact);
      const flaws = page.warnings.map((warning): Flaw => ({ ...warning, path: warning.path ?? path }));
      const room = Math.min(MAX_CHARACTERS, Math.max(1_000, maxResultCharacters - 4_000));
      const text = seals.seal(page.text);
      const parts = [
        page.degraded === "plain" ? "The page cannot be parsed: readers see its source as plain text." : null,
        flaws.length === 0 ? "No problem found." : `Problems (${flaws.length}):\n${flawLines(flaws)}`,
        `Title: ${page.title ?? "none"}\nDescription: ${page.description ?? "none"}`,
        list("Headings", page.headings, ({ depth, text: heading, id }) => `${"#".repeat(depth)} ${heading} (#${id})`),
        list("Links", page.links, ({ href }) => href),
        list("Pictures", page.images, ({ src, alt }) => `${src} (${alt === null ? "no alt text" : `alt: ${alt}`})`),
        `Text as readers see it:\n${text.slice(0, room).toWellFormed()}${text.length > room ? `\n… ${text.length - room} more characters are left out.` : ""}`,
      ];
      const content = seals.mask(parts.filter((part) => part !== null).join("\n\n"));
      return done(`Rendered ${path}: ${flaws.length === 0 ? "no problem" : count(flaws.length, "problem")}`, content);
    },
  });
}

const MAX_LISTED = 100;

function list<Item>(name: string, items: readonly Item[], line: (item: Item) => string): string | null {
  if (items.length === 0) return null;
  const more = items.length > MAX_LISTED ? [`… and ${items.length - MAX_LISTED} more`] : [];
  return [`${name} (${items.length}):`, ...items.slice(0, MAX_LISTED).map(line), ...more].join("\n");
}
