import { z } from "zod";
import { defineTool, FINISH_TOOL, type FinishInput, type Tool } from "./tool.ts";
import { done } from "./outcome.ts";

const Finish: z.ZodType<FinishInput> = z.strictObject({
  outcome: z.enum(["done", "not_understood", "impossible"]),
  title: z.string().min(1).max(200).describe("Title of the pull request: imperative, at most 72 characters"),
  summary: z.string().min(1).max(20_000).describe("What was done and what was left, in Markdown; else the reason"),
  hint: z.string().max(2_000).optional().describe("On a refusal: the nearest thing that can be done, as a prompt"),
  files: z
    .array(
      z.strictObject({
        path: z.string().min(1).max(300),
        why: z.string().min(1).max(300).describe("What you changed in this file and why, in a sentence or two"),
      }),
    )
    .max(60)
    .optional()
    .describe("What the reviewer should know about each changed file that its diff does not show"),
  forLaterJobs: z
    .array(z.string().min(1).max(300))
    .max(3)
    .optional()
    .describe(
      "Rules that the user's messages gave and that hold for every later job, a sentence each; people decide whether they are kept",
    ),
  question: z.string().max(2_000).optional().describe("What you need to know from the user first, if anything"),
});

/** The only tool whose call ends a turn: the loop recognizes its name and reads the input from the call. */
export function finishTool(): Tool {
  return defineTool({
    name: FINISH_TOOL,
    description:
      "Ends the turn. Call it once, after everything asked for was done or it is clear that it cannot be done.",
    input: Finish,
    mutates: false,
    run: (input) => Promise.resolve(done(`Finished (${input.outcome}): ${input.title}`, input)),
  });
}
