import { ONE_PROJECT, onProject } from "./action.ts";
import { writeLine } from "./io.ts";

/** `docent analytics snippet`. */
export const printSnippet = onProject(ONE_PROJECT, {}, ({ io }) => async ({ call, name }) => {
  const { snippet, allowedOrigins } = await call("getAnalyticsSnippet");
  if (allowedOrigins.length === 0) {
    const setting = `docent projects set ${name} analytics '{"allowedOrigins": ["https://docs.example.com"]}'`;
    writeLine(io.stderr, `No origin may send views yet. Name those that carry the script:\n  ${setting}`);
  }
  return { json: { snippet, allowedOrigins }, text: snippet };
});
