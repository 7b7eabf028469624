import path from "node:path";
import { redact } from "#lib/secrets/secret-scan.ts";
import { readdirSync, readFileSync } from "node:fs";
import { readApi } from "#docs/api/reading/read-document.ts";
import { createInProcessParser } from "#docs/in-process-parser.ts";
import type { MarkdownParser } from "#docs/parser.ts";
import { loadDocs } from "#docs/tree/page-tree.ts";
import { checkLinks } from "#docs/links/links.ts";
import type { HistoryEntry } from "#tools/history.ts";
import type { OwnWork } from "#tools/own-work.ts";
import type { Tool, ToolEnvironment, ToolResult } from "#tools/tool.ts";
import type { SourceReader } from "#tools/source-reader.ts";
import { createVirtualTree, type VirtualTree } from "#tools/virtual-tree.ts";
import { createTestSnapshot } from "./snapshot.ts";

/** A virtual tree over files in memory, to run the agent's tools on. */
export interface AgentBench {
  tree: VirtualTree;
  environment: ToolEnvironment;
  run(name: string, input: Record<string, unknown>): Promise<ToolResult>;
  /** Contents of all files, including edits. */
  contents(): Promise<Record<string, string>>;
  /** `path: url` of every broken link. */
  brokenLinks(): Promise<string[]>;
}

export function createAgentBench(
  tools: readonly Tool[],
  files: Record<string, string | Uint8Array | { linkTo: string }>,
  {
    history = [],
    sources = [],
    parser = createInProcessParser(),
    ownWork = { turns: () => Promise.resolve([]), read: () => Promise.reject(new Error("nothing was done")) },
  }: {
    history?: readonly HistoryEntry[];
    sources?: readonly SourceReader[];
    parser?: MarkdownParser;
    ownWork?: OwnWork;
  } = {},
): AgentBench {
  const tree = createVirtualTree(createTestSnapshot(files));
  const environment: ToolEnvironment = {
    tree,
    parser,
    readApi,
    contentRoot: null,
    redact,
    sources,
    ownWork,
    history: ({ limit }) => Promise.resolve(history.slice(0, limit)),
    signal: AbortSignal.timeout(60_000),
  };
  return {
    tree,
    environment,
    async run(name, input) {
      const tool = tools.find((each) => each.name === name);
      if (!tool) throw new Error(`no tool ${name}`);
      return tool.run(tool.input.parse(input), environment);
    },
    async contents() {
      const entries = (await tree.files()).filter((file) => file.kind === "file");
      const texts = await Promise.all(entries.map(async (file) => [file.path, (await tree.readText(file.path)) ?? ""]));
      return Object.fromEntries(texts) as Record<string, string>;
    },
    async brokenLinks() {
      const { broken } = await checkLinks({ snapshot: tree, docs: await loadDocs(tree), parser });
      return broken.map((link) => `${link.path}: ${link.url}`);
    },
  };
}

/** The files of a folder by their paths in it. */
export function readFolder(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(folder, file), readFileSync(file, "utf8")];
    }),
  );
}
