import { expect, it } from "vitest";
import { createInProcessParser } from "#docs/in-process-parser.ts";
import { escapeMdx } from "./markdown-text.ts";

it.each([
  "\\{process.exit()}",
  "\\\\{process.exit()}",
  "` {process.exit()} ``",
  "``a`{x}",
  "\\`{x}`",
  "a `{x}` <b> {y}",
])("text from data is not code in MDX: %s", async (text) => {
  const outcome = await createInProcessParser().parse(escapeMdx(text), "mdx");
  expect(outcome.ok).toBe(true);
  expect(JSON.stringify(outcome)).not.toContain('"type":"mdx');
});
