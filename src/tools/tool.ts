import type { z } from "zod";
import type { ApiReading } from "#docs/api/api-documents.ts";
import type { AddApiPages } from "#docs/tree/page-tree.ts";
import type { MarkdownParser } from "#docs/parser.ts";
import type { RenderedPage } from "#docs/render/page.ts";
import type { ObjectId } from "#git/repo-store.ts";
import type { Redact } from "#lib/secrets/secret-scan.ts";
import type { HistoryEntry } from "./history.ts";
import type { OwnWork } from "./own-work.ts";
import type { SourceReader } from "./source-reader.ts";
import type { VirtualTree } from "./virtual-tree.ts";

/** Reads an API description, in a process that can be killed. `read` returns null for a file that does not exist. */
export type ReadApi = (path: string, read: (path: string) => Promise<string | null>) => Promise<ApiReading>;

/** Reads web pages for the agent, from hosts that the project allows. */
export interface WebReader {
  /** The hosts as in the project's settings. */
  hosts: readonly string[];
  /** Null if the project allows the agent to read the address, otherwise the reason. */
  refusalOf(url: URL): string | null;
  read(url: URL, signal: AbortSignal): Promise<WebPage | { trouble: string }>;
}

export interface WebPage {
  /** The address after redirects. */
  address: string;
  title: string | null;
  /** Markdown for an HTML page, otherwise the text as received. */
  text: string;
}

/**
 * What a tool can access: the virtual tree and, read-only, history and the web pages that the project allows. No process,
 * no disk.
 */
export interface ToolEnvironment {
  tree: VirtualTree;
  parser: MarkdownParser;
  /** Pages generated from API descriptions, which links may refer to. */
  addApiPages?: AddApiPages | undefined;
  readApi: ReadApi;
  /** Folder of the docs from the project's settings; null to use the repository's configuration. */
  contentRoot: string | null;
  history(options: { since: string | null; limit: number }): Promise<HistoryEntry[]>;
  /** Further repositories of the project, read-only. */
  sources: readonly SourceReader[];
  /** Absent if the project allows no hosts. */
  web?: WebReader | undefined;
  ownWork: OwnWork;
  /** Removes credentials from content that is read; line numbers stay the same. */
  redact: Redact;
  /** Absent outside a job. */
  turn?: TurnView;
  /** Maximum length of a result, which is truncated. Absent if no model reads it. */
  maxResultCharacters?: number;
  signal: AbortSignal;
}

/** What a tool can find out about its turn. */
export interface TurnView {
  /** The documentation repository at the commit that the turn started from. */
  docs: SourceReader;
  /** Stores the current files, and runs the checks that decide what may be published. */
  review(tree: VirtualTree): Promise<{ base: ObjectId; head: ObjectId; errors: Flaw[]; warnings: Flaw[] }>;
  /** A page as readers see it; null if the file is not a page. */
  render(tree: VirtualTree, path: string): Promise<RenderedPage | null>;
  stepsLeft(): number;
}

/** A problem of the change or of a page. */
export interface Flaw {
  path: string | null;
  line: number | null;
  message: string;
}

/**
 * The result of a tool. `ok: false` is for the caller to read and recover from: it says what is wrong and what to do. `content`
 * can be serialized as JSON, `summary` is one line for the transcript, in the past tense.
 */
export type ToolResult =
  | { ok: true; summary: string; content: unknown }
  | {
      ok: false;
      summary: string;
      message: string;
      /** What a person can do about it, if rephrasing does not help. */
      hint?: string;
    };

/** An action of the agent. `mutates`: whether the tree may differ afterwards. A failed tool changes nothing. */
export interface Tool<Input = unknown> {
  name: string;
  /** For a language model: when to use it and what it returns. */
  description: string;
  input: z.ZodType<Input>;
  mutates: boolean;
  /** Only offered if the project has sources. */
  needsSources?: true;
  /** Only offered if the project allows hosts whose pages may be read. */
  needsWeb?: true;
  /** Only for the built-in rules: a language model reads files itself. */
  forRules?: true;
  /** Only for language models. */
  forModels?: true;
  run(input: Input, environment: ToolEnvironment): Promise<ToolResult>;
}

/** Checks the input's type and returns a tool that lists can contain. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  const { name, description, input, mutates, needsSources, needsWeb, forRules, forModels } = tool;
  return {
    name,
    description,
    input,
    mutates,
    ...(needsSources && { needsSources }),
    ...(needsWeb && { needsWeb }),
    ...(forRules && { forRules }),
    ...(forModels && { forModels }),
    run: (given, environment) => tool.run(input.parse(given), environment),
  };
}

/** The tool with which the agent ends a turn. */
export const FINISH_TOOL = "finish";
export interface FinishInput {
  /** `done`, or why nothing was done. */
  outcome: "done" | "not_understood" | "impossible";
  /** Title for the pull request: imperative, at most 72 characters. */
  title: string;
  /** What was done and what was left, in Markdown; for a refusal the reason. */
  summary: string;
  /** For a refusal: the nearest possible request, as a prompt to copy. */
  hint?: string | undefined;
  /** A question that the user has to answer before the agent can continue. */
  question?: string | undefined;
  /** Why each file was changed, for its reviewer, if the agent gives a reason. */
  files?: FileReason[] | undefined;
  /** Rules from the user's messages that also apply to later jobs, one sentence each. */
  forLaterJobs?: string[] | undefined;
}

export interface FileReason {
  /** In the repository. */
  path: string;
  /** What was changed in it and why, in one or two sentences. */
  why: string;
}
