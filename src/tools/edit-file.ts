import { z } from "zod";
import { withoutInvisible } from "#lib/invisible-text.ts";
import { SECRET_MASK } from "#lib/secrets/secret-scan.ts";
import { defineTool, type Tool } from "./tool.ts";
import { createSeals, endsInSeal, SHOWN_CREDENTIAL, startsWithSeal } from "./sealed-text.ts";
import { writePolicyOf } from "./content-root.ts";
import { nearestLines } from "./nearest-lines.ts";
import { count, done, refused } from "./outcome.ts";
import { newSyntaxProblem } from "./syntax.ts";
import { createLineIndex } from "#lib/line-index.ts";
import { pathOfFile, readTextFile, withLineEndsOf } from "./text-file.ts";

const Replacement = z.strictObject({
  old: z.string().max(200_000).describe("Exact text of the file, long enough to occur once"),
  new: z.string().max(500_000),
  all: z.boolean().default(false).describe("Replace every occurrence"),
});

export function editFileTool(): Tool {
  return defineTool({
    name: "edit_file",
    description:
      'Replaces exact pieces of a text file, all or none of them. Each "old" must occur exactly once unless "all" is ' +
      "set; edits apply in order. An edit that makes a page, JSON or YAML file unparsable is refused.",
    input: z.strictObject({
      path: z.string().min(1).max(1_000),
      edits: z.array(Replacement).min(1).max(100),
    }),
    mutates: true,
    async run({ path: given, edits }, environment) {
      const { tree, parser, redact } = environment;
      const path = await pathOfFile(tree, given);
      const failed = `Did not edit ${path}`;
      const file = await readTextFile(tree, path);
      if (!file.ok) return refused(failed, file.message);
      // Credentials are replaced by placeholders in the searched text: no "old" matches a part of one, whether right or wrong.
      const seals = createSeals(redact);
      let text = seals.seal(file.text);
      let replaced = 0;
      for (const [index, edit] of edits.entries()) {
        const outcome = replaceExactly(text, edit, seals.mask);
        if (!outcome.ok)
          return refused(failed, `Edit ${index + 1} of ${edits.length}: ${outcome.message} Nothing was changed.`);
        text = outcome.text;
        replaced += outcome.count;
      }
      const opened = seals.open(text);
      if (opened === null) return refused(failed, SHOWN_CREDENTIAL);
      const policy = await writePolicyOf(environment);
      const refusal = policy.refuseWrite(path, opened, file.text);
      if (refusal !== null) return refused(failed, refusal);
      const problem = await newSyntaxProblem(parser, { path, before: file.text, after: opened });
      if (problem !== null) {
        return refused(failed, `After the edit the file would not parse: ${problem}. Nothing was changed.`);
      }
      tree.write(path, opened);
      return done(`Edited ${path}: ${count(replaced, "replacement")}`, { path, replacements: replaced });
    },
  });
}

type Replaced = { ok: true; text: string; count: number } | { ok: false; message: string };

function replaceExactly(text: string, edit: z.infer<typeof Replacement>, masked: (text: string) => string): Replaced {
  const old = withLineEndsOf(text, edit.old);
  const replacement = withLineEndsOf(text, edit.new);
  if (old.trim() === "") return { ok: false, message: '"old" is empty or only white space.' };
  if (old === replacement) return { ok: false, message: '"old" and "new" are the same.' };
  const problem = maskProblem(text, { old, replacement });
  if (problem !== null) return { ok: false, message: problem };
  const parts = partsAround(text, old);
  const found = parts.length - 1;
  if (found === 0 || bordersSeal(parts)) {
    const shown = masked(text);
    const note = shown === text ? "" : `Text that holds or touches a "${SECRET_MASK}" is not looked at. `;
    return { ok: false, message: `"old" does not occur. ${note}${nearestLines(shown, old)}` };
  }
  if (found > 1 && !edit.all) {
    const { text: visible } = withoutInvisible(text);
    const shown = text.includes(old) ? text : visible;
    const lines = occurrences(shown, old, 10).map(createLineIndex(shown));
    return {
      ok: false,
      message: `"old" occurs ${found} times, on lines ${lines.join(", ")}${found > 10 ? " …" : ""}. Add lines around it, or set "all".`,
    };
  }
  return { ok: true, text: parts.join(replacement), count: found };
}

/** Text directly next to a credential could change where it begins or ends. */
const bordersSeal = (parts: readonly string[]): boolean =>
  parts.some((part, index) => (index > 0 && startsWithSeal(part)) || (index < parts.length - 1 && endsInSeal(part)));

/** The text between the occurrences of `wanted`, which may contain invisible characters. */
function partsAround(text: string, wanted: string): string[] {
  const exact = text.split(wanted);
  if (exact.length > 1) return exact;
  const visible = withoutInvisible(text);
  if (visible.text === text) return exact;
  const parts: string[] = [];
  let at = 0;
  for (const start of occurrences(visible.text, wanted, Infinity)) {
    parts.push(text.slice(at, visible.offsetOf(start)));
    at = visible.offsetOf(start + wanted.length - 1) + 1;
  }
  return [...parts, text.slice(at)];
}

/** The mask of a credential is not in the file, and must not be written to it. */
function maskProblem(text: string, { old, replacement }: { old: string; replacement: string }): string | null {
  if (text.includes(SECRET_MASK)) return null;
  const explained = `"${SECRET_MASK}" stands for a credential that is not shown to you.`;
  if (old.includes(SECRET_MASK)) return `${explained} Choose an "old" next to it: the credential stays unchanged.`;
  return replacement.includes(SECRET_MASK) ? `${explained} Leave it out of "new".` : null;
}

function occurrences(text: string, wanted: string, limit: number): number[] {
  const offsets: number[] = [];
  for (
    let at = text.indexOf(wanted);
    at !== -1 && offsets.length < limit;
    at = text.indexOf(wanted, at + wanted.length)
  ) {
    offsets.push(at);
  }
  return offsets;
}
