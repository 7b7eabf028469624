import { expect, it } from "vitest";
import { shownOfSources } from "#features/jobs/turn/shown-sources.ts";
import { judge } from "#testing/judged-change.ts";

const LINES = Array.from(
  { length: 12 },
  (_, index) => `  const value${index} = await readSetting("name-${index}"); // ${index} of them`,
);
const CODE = LINES.join("\n");

/** A result of `read_source_file` as it is stored, possibly truncated. */
const answer = (value: string) => ({
  role: "tool" as const,
  content: [
    {
      type: "tool-result" as const,
      toolCallId: "1",
      toolName: "read_source_file",
      output: { type: "text" as const, value },
    },
  ],
});
const numbered = LINES.map((line, index) => `${index + 1}| ${line}`).join("\n");
const READ = answer(JSON.stringify({ about: "…", source: "api", commit: "c", path: "a.ts", lines: numbered }));

const warningsOf = async (page: string, messages = [READ]) => {
  const { errors, warnings } = await judge(
    { "index.md": "# Start\n" },
    { "index.md": `# Start\n\n${page}\n` },
    { shown: shownOfSources(messages) },
  );
  expect(errors).toEqual([]);
  return warnings.map(({ path, line, message }) => `${path}:${line} ${message}`);
};

it("warns about text that is copied word for word from a source, with its place", async () => {
  expect(await warningsOf(`\`\`\`ts\n${CODE}\n\`\`\``)).toEqual([
    expect.stringMatching(/^index\.md:4 \d{3} characters in a row are word for word those of the source api/),
  ]);
  // With other indentation, and from a truncated result.
  const reindented = LINES.slice(0, 9)
    .map((line) => line.trim())
    .join("\n\n");
  expect(await warningsOf(`\`\`\`ts\n${reindented}\n\`\`\``)).toHaveLength(1);
  const cut = READ.content[0]!.output.value.slice(0, 700);
  expect(await warningsOf(`\`\`\`ts\n${CODE}\n\`\`\``, [answer(`${cut}… (900 characters)`)])).toHaveLength(1);
});

it("warns about text that is copied from a diff", async () => {
  const patch = LINES.map((line) => `+${line}`).join("\n");
  const news = {
    role: "user" as const,
    content: `Source api changed, a..b, which set off this instruction.\n${patch}`,
  };
  const { warnings } = await judge(
    { "index.md": "" },
    { "index.md": `# Start\n\n\`\`\`ts\n${CODE}\n\`\`\`\n` },
    { shown: shownOfSources([news]) },
  );
  expect(warnings).toHaveLength(1);
});

it("does not warn about a few lines, original text, or text that the page already had", async () => {
  expect(await warningsOf(`\`\`\`ts\n${LINES.slice(0, 3).join("\n")}\n\`\`\``)).toEqual([]);
  expect(await warningsOf("It reads twelve settings by their names, one after another. ".repeat(20))).toEqual([]);
  const page = `# Start\n\n\`\`\`ts\n${CODE}\n\`\`\`\n`;
  const kept = await judge({ "index.md": page }, { "index.md": `${page}\nMore.\n` }, { shown: shownOfSources([READ]) });
  expect(kept.warnings).toEqual([]);
});
