import npmToYarn from "npm-to-yarn";
import { Fences } from "#docs/fences.ts";
import { linesOf, startOfBody } from "./lines.ts";
import type { Marks } from "./markers.ts";
import { type Rewritten, Rewriter, unchanged } from "./rewriter.ts";

// Its types describe a CommonJS module.
const convert = npmToYarn as unknown as (commands: string, manager: "yarn" | "pnpm" | "bun") => string;

const OTHERS = [
  ["Yarn", "yarn"],
  ["pnpm", "pnpm"],
  ["Bun", "bun"],
] as const;
/** Longer blocks are no commands to install something. */
const MAX_CHARACTERS = 10_000;
const OPENS = /^([ \t>]*)(`{3,20}|~{3,20})([\w-]{1,40}) npm2yarn[ \t]*$/;

/** Shows commands of npm for other package managers too, as Docusaurus' plugin npm2yarn does with its default settings. */
export function readPackageCommands(source: string, marks: Marks): Rewritten {
  if (!source.includes(" npm2yarn")) return unchanged(source);
  const text = new Rewriter(source);
  const body = startOfBody(source);
  const fences = new Fences();
  let done = body;
  text.copy(0, body);
  for (const { from, end, next } of linesOf(source, body)) {
    if (from < done) continue;
    const line = source.slice(from, Math.min(end, from + 2_000));
    const [, prefix = "", fence = "", language = ""] = fences.isOpen ? [] : (OPENS.exec(line) ?? []);
    const close = fence === "" ? -1 : source.slice(next - 1, next + MAX_CHARACTERS).indexOf(`\n${prefix}${fence}`);
    if (close === -1) {
      fences.covers(line);
      text.copy(from, next);
      continue;
    }
    const last = next + close;
    const lineEnd = source.indexOf("\n", last);
    done = lineEnd === -1 ? source.length : lineEnd + 1;
    const written = source.slice(next, last - 1).split("\n");
    const commands = written.map((each) => (each.startsWith(prefix) ? each.slice(prefix.length) : each)).join("\n");
    const add = (title: string, value: string) => {
      const lines = [`${fence}${language} title="${title}"`, ...value.split("\n"), fence, ""];
      text.add(`${lines.map((each) => `${prefix}${each}`.trimEnd()).join("\n")}\n`, from);
    };
    marks.open(text, { name: "CodeGroup" }, { prefix, at: from });
    add("npm", commands);
    for (const [title, name] of OTHERS) add(title, convert(commands, name));
    marks.close(text, "CodeGroup", { prefix, at: from });
  }
  return text.result();
}
