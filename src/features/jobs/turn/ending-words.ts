import type { FinishInput } from "#tools/tool.ts";

/** First what the server saw, then the model's words as such. */
export const withChanges = (finish: FinishInput, count: number): FinishInput => ({
  ...finish,
  summary: `Changed ${count === 1 ? "1 file" : `${count} files`}. The agent says:\n\n${finish.summary}`,
});

/** What a turn that changed nothing says of itself: first the fact, then the model's words as such. */
export function withoutChange(finish: FinishInput): FinishInput {
  const question = questionOf(finish);
  const said = question === null ? "The agent says:" : "The agent asks:";
  const words =
    question === null || finish.summary.includes(question) ? finish.summary : `${finish.summary}\n\n${question}`;
  return { ...finish, summary: `No file was changed. ${said}\n\n${words}`, ...(question !== null && { question }) };
}

/** What the agent needs to know: said as such, or as the last paragraph of its summary. */
export function questionOf({ question = "", summary }: FinishInput): string | null {
  if (question.trim() !== "") return question.trim();
  const last =
    summary
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? "";
  return last.endsWith("?") ? last : null;
}
