import { afterAll, beforeAll, expect, it } from "vitest";
import type { ObjectId } from "#git/objects/objects.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createAgentBench } from "#testing/agent-bench.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { commitFiles, createTestDirectory, createTestRepository, git } from "#testing/repositories.ts";
import { createDocsReader } from "#tools/source-reader.ts";
import type { Flaw, TurnView } from "#tools/tool.ts";
import { createAgentTools } from "./tools.ts";

// Concatenated at run time, so that this file contains no text in the shape of a credential.
const KEY = `ghp_${"q7Zt2mXw9KpR4vLc8NbY3sHd6JfG1aEuT5oQ"}`;
const made = new AsyncDisposableStack();
const tools = createAgentTools();
let range: { base: ObjectId; head: ObjectId };
let docs: TurnView["docs"];

beforeAll(async () => {
  const { path: root } = made.use(await createTestDirectory());
  const work = made.use(await createTestRepository({ "a.md": `# A\n\nKey: ${KEY}\n\nOld.\n`, "b.md": "# B\n" }));
  const base = (await git(work.path, "rev-parse", "HEAD")).trim();
  await commitFiles(work.path, { "a.md": `# A\n\nKey: ${KEY}\n\nNew.\n`, "b.md": "# Bee\n" }, "Change");
  const repoStore = made.use(createRepoStore({ root, logger: silentLogger }));
  const id = newProjectId();
  await repoStore.import(id, { source: work.path, branch: null });
  const head = (await repoStore.resolve(id, "HEAD"))!;
  range = { base, head };
  docs = createDocsReader({ repoStore }, { id, branch: "main", base });
});
afterAll(() => made.disposeAsync());

async function show(name: string, input: object, turn: Partial<TurnView>): Promise<string> {
  const { environment } = createAgentBench(tools, { "a.md": "# A\n" });
  const view: TurnView = {
    docs,
    review: () => Promise.resolve({ ...range, errors: [], warnings: [] }),
    render: () => Promise.resolve(null),
    stepsLeft: () => 10,
    ...turn,
  };
  const result = await tools.find((tool) => tool.name === name)!.run(input, { ...environment, turn: view });
  return result.ok ? String(result.content) : result.message;
}

const flaw = (message: string, line: number): Flaw => ({ path: "a.md", line, message });

it("is reviewed as a diff of the wanted files, without the credentials beside a change", async () => {
  const all = await show("review_changes", {}, {});
  expect(all).toContain("The checks find no error.\n\n2 files changed:\nmodified a.md\nmodified b.md");
  expect(all).toContain("-Old.\n+New.");
  expect(all).toContain("Key: ");
  expect(all).not.toContain(KEY);
  expect(await show("review_changes", { path: "b.md" }, {})).not.toContain("+New.");
});

it("is reviewed with what the checks say, at most 40 lines of each kind", async () => {
  const errors = Array.from({ length: 42 }, (_, at) => flaw("The link is broken.", at + 1));
  const review = () => Promise.resolve({ ...range, errors, warnings: [flaw("The page is long.", 3)] });
  const text = await show("review_changes", {}, { review });
  expect(text).toContain("Errors, which stop the publication:\n- a.md:1 The link is broken.\n");
  expect(text).toContain(
    "- a.md:40 The link is broken.\n- … and 2 more\n\nWarnings, which reviewers see:\n- a.md:3 The",
  );
  expect(text).not.toContain("a.md:41");
});

it("is rendered without credentials, with each problem at its own file", async () => {
  const source = `# A\n\nThe key is ${KEY}.\n\n<Foo />\n\n<Snippet file="note.mdx" />\n`;
  const readInclude = () => Promise.resolve("Note.\n\n<Bar />\n");
  const render = () => sharedContent().render({ path: "a.mdx", source, format: "mdx", readInclude });
  const text = await show("render_page", { path: "a.md" }, { render });
  expect(text).toMatch(/^Problems \(2\):\n- a\.md:5 .*Foo.*\n- \S*note\.mdx:3 .*Bar/);
  expect(text).toContain("The key is ");
  expect(text).not.toContain(KEY);
});
