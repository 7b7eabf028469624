import { expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";
import { understand } from "./understanding.ts";

// The sentences in a report are understood, and apply to the same part of the docs as the job.

const tools = createAgentTools();
const names = tools.map(({ name }) => name);
const TEXT = "service services SERVICE\n\n## service services SERVICE\n";
const FILES = { "guides/a.md": TEXT, "guides/b.md": TEXT, "c.md": `# service services SERVICE\n\n${TEXT}` };

it.each([
  {},
  { in: ["guides"] },
  { in: ["guides/a.md", "c"], except: ["c.md"] },
  { except: ["guides/*.md"] },
  { in: ["guides/**"], includeCode: true },
  { only: "headings", in: ["guides/a.md"], except: [] },
  { only: "titles" },
  { plural: true, in: ["c"], includeCode: true },
])("of %j", async (place) => {
  const bench = createAgentBench(tools, FILES);
  const result = await bench.run("replace_term", { from: "service", to: "app", ...place });
  const { notes } = (result as { content: { notes: string[] } }).content;
  const sentences = notes.flatMap((note) => / send: (.*\.)$/.exec(note)?.[1] ?? []);
  expect(sentences.length).toBeGreaterThan(0);
  for (const sentence of sentences) {
    const { calls, refused } = understand(sentence, names);
    expect(refused).toEqual([]);
    const [call, second] = calls;
    expect(second).toBeUndefined();
    const { except, ...rest } = place as { except?: string[] };
    expect(call?.input).toMatchObject({ ...rest, ...(except?.length && { except }) });
    expect(call?.input["in"]).toEqual(place.in);
  }
});
