import { z } from "zod";
import { defineTool, type Tool } from "#tools/tool.ts";
import { markdownFormat } from "#docs/parser.ts";
import { done } from "#tools/outcome.ts";
import { cutText } from "#lib/cut-text.ts";

const MAX_CHORES = 50;
const MAX_PLAN_LENGTH = 1_000;

/** The result of `check_chores` for one chore. */
export type ChoreCheck =
  | { tool: string; ok: true; summary: string; changedCount: number }
  | { tool: string; ok: false; message: string; hint?: string };

/**
 * The tool that tries chores: runs them in order on a copy of the tree that is discarded, so that each chore sees the
 * changes of the earlier ones.
 */
export function checkChoresTool(chores: readonly Tool[]): Tool {
  const byName = new Map(chores.map((tool) => [tool.name, tool]));
  return defineTool({
    name: "check_chores",
    description:
      "Tries chores without changing anything and says for each whether it can be done and what it would do. " +
      // Lists only the chores that a model can call.
      `The chores: ${chores.flatMap(({ name, forRules }) => (forRules ? [] : [name])).join(", ")}.`,
    input: z.strictObject({
      chores: z
        .array(z.strictObject({ tool: z.string().max(100), input: z.record(z.string(), z.unknown()) }))
        .min(1)
        .max(MAX_CHORES),
    }),
    mutates: false,
    async run({ chores: wanted }, environment) {
      const trial = { ...environment, tree: environment.tree.fork() };
      const results: ChoreCheck[] = [];
      for (const { tool: name, input } of wanted) {
        environment.signal.throwIfAborted();
        const tool = byName.get(name);
        if (!tool) {
          results.push({ tool: name, ok: false, message: `There is no chore “${name}”.` });
          continue;
        }
        const parsed = tool.input.safeParse(input);
        if (!parsed.success) {
          results.push({ tool: name, ok: false, message: z.prettifyError(parsed.error) });
          continue;
        }
        const result = await tool.run(parsed.data, trial);
        results.push(
          result.ok
            ? { tool: name, ok: true, summary: result.summary, changedCount: changedCountOf(result.content) }
            : {
                tool: name,
                ok: false,
                message: result.message,
                ...(result.hint !== undefined && { hint: result.hint }),
              },
        );
      }
      const possible = results.filter((result) => result.ok).length;
      const plan = results.map((result) => (result.ok ? result.summary : `not possible: ${result.message}`)).join("; ");
      return done(`The plan, tried on a copy: ${cutText(plan, MAX_PLAN_LENGTH)}`, {
        summary: `${possible} of ${results.length} can be done`,
        pageCount: (await environment.tree.files()).filter(({ path }) => markdownFormat(path) !== null).length,
        results,
      });
    },
  });
}

/** The number of changed files that a chore reports. */
function changedCountOf(content: unknown): number {
  const parsed = z.object({ changedCount: z.number() }).safeParse(content);
  return parsed.success ? parsed.data.changedCount : 0;
}
