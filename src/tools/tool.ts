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

/** Reads the description of an API, in a process that can be killed. `read` answers null where there is no file. */
export type ReadApi = (path: string, read: (path: string) => Promise<string | null>) => Promise<ApiReading>;

/** Reads web pages for the agent, from hosts that the project names. */
export interface WebReader {
  /** As the project names them. */
  hosts: readonly string[];
  /** Null where the project lets the agent read the address, else why not. */
  refusalOf(url: URL): string | null;
  read(url: URL, signal: AbortSignal): Promise<WebPage | { trouble: string }>;
}

export interface WebPage {
  /** Where redirects led. */
  address: string;
  title: string | null;
  /** Markdown for an HTML page, else the text as it was sent. */
  text: string;
}

/** What a tool may touch: the virtual tree and, reading only, history and the web pages that the project allows. No process, no disk. */
export interface ToolEnvironment {
  tree: VirtualTree;
  parser: MarkdownParser;
  /** Pages that are made of descriptions of APIs: links may lead to them. */
  addApiPages?: AddApiPages | undefined;
  readApi: ReadApi;
  /** Folder of the docs as the project's settings name it; null where the repository itself says it. */
  contentRoot: string | null;
  history(options: { since: string | null; limit: number }): Promise<HistoryEntry[]>;
  /** Further repositories of the project, reading only. */
  sources: readonly SourceReader[];
  /** Absent where the project names no hosts. */
  web?: WebReader | undefined;
  ownWork: OwnWork;
  /** Takes credentials out of what is read; lines keep their numbers. */
  redact: Redact;
  /** Absent where no job is carried out. */
  turn?: TurnView;
  /** How long an answer may be; what is longer is cut. Not given where there is no model to read it. */
  maxResultCharacters?: number;
  signal: AbortSignal;
}

/** What a tool can learn of the turn that it is part of. */
export interface TurnView {
  /** The documentation repository at the commit that the turn started from. */
  docs: SourceReader;
  /** Stores the files as they are now, and puts them before the checks that decide what may be published. */
  review(tree: VirtualTree): Promise<{ base: ObjectId; head: ObjectId; errors: Flaw[]; warnings: Flaw[] }>;
  /** A page as readers get it; null where the file is no page. */
  render(tree: VirtualTree, path: string): Promise<RenderedPage | null>;
}

/** Something that is wrong with the change or with a page. */
export interface Flaw {
  path: string | null;
  line: number | null;
  message: string;
}

/**
 * What a tool answers. `ok: false` is for the caller to read and recover from: it names what is wrong and what to do.
 * `content` is JSON-serialisable, `summary` one line for the transcript, in the past tense.
 */
export type ToolResult =
  | { ok: true; summary: string; content: unknown }
  | {
      ok: false;
      summary: string;
      message: string;
      /** What a person can do about it, where that is another thing than to say it differently. */
      hint?: string;
    };

/** One thing that the agent can do. `mutates` tells whether the tree may differ afterwards. A failed tool changes nothing. */
export interface Tool<Input = unknown> {
  name: string;
  /** For a language model: when to use it and what it answers. */
  description: string;
  input: z.ZodType<Input>;
  mutates: boolean;
  /** Offered only where the project has sources. */
  needsSources?: true;
  /** Offered only where the project names hosts whose pages may be read. */
  needsWeb?: true;
  /** For the built-in rules alone: a language model reads files itself. */
  forRules?: true;
  /** For language models alone. */
  forModels?: true;
  run(input: Input, environment: ToolEnvironment): Promise<ToolResult>;
}

/** Keeps the input's type inside and lets tools of all kinds stand in one list. */
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

/** How the agent says that it is done; the loop ends the turn on it. */
export const FINISH_TOOL = "finish";
export interface FinishInput {
  /** `done`, or why nothing was done. */
  outcome: "done" | "not_understood" | "impossible";
  /** Title for the pull request: imperative, at most 72 characters. */
  title: string;
  /** What was done and what was left, in Markdown; on a refusal the reason. */
  summary: string;
  /** On a refusal: the nearest thing that can be done, as a prompt to copy. */
  hint?: string | undefined;
  /** What the agent needs to know from the user before it can go on. */
  question?: string | undefined;
  /** Why each file was changed, for its reviewer; of the files that the agent has something to say about. */
  files?: FileReason[] | undefined;
  /** Rules that the user's messages gave and that hold for later jobs too, a sentence each. */
  forLaterJobs?: string[] | undefined;
}

export interface FileReason {
  /** In the repository. */
  path: string;
  /** What was changed in it and why, in a sentence or two. */
  why: string;
}
