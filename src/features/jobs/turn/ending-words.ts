import type { FinishInput } from "#tools/tool.ts";

/** States how many files were changed, then quotes the model. */
export const withChanges = (finish: FinishInput, count: number): FinishInput => ({
  ...finish,
  summary: `Changed ${count === 1 ? "1 file" : `${count} files`}. The agent says:\n\n${finish.summary}`,
});

/** The ending of a turn that changed nothing: states that fact, then quotes the model. */
export function withoutChange(finish: FinishInput): FinishInput {
  const question = questionOf(finish);
  const intro = question === null ? "The agent says:" : "The agent asks:";
  const words =
    question === null || finish.summary.includes(question) ? finish.summary : `${finish.summary}\n\n${question}`;
  return { ...finish, summary: `No file was changed. ${intro}\n\n${words}`, ...(question !== null && { question }) };
}

/** The agent's question: given explicitly, or the last paragraph of its summary. */
export function questionOf({ question = "", summary }: FinishInput): string | null {
  if (question.trim() !== "") return question.trim();
  const last =
    summary
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? "";
  return last.endsWith("?") ? last : null;
}
