import type { z } from "zod";

/**
 * The Model Context Protocol over streamable HTTP, as far as a server needs it that keeps nothing between requests and
 * sends nothing by itself. Both of its forms: with what a request needs in each of them (revision 2026-07-28), and after
 * an `initialize` (2025-11-25 and before), which nothing here remembers.
 */
export interface McpServer {
  info: { name: string; title: string; version: string; websiteUrl: string };
  /** What a model is told of the server. */
  instructions: string;
  tools: readonly McpTool[];
  /** What a client may put before its model; absent where there is nothing. */
  resources?: McpResources;
}

export interface McpResources {
  list(): Promise<McpResource[]>;
  templates: readonly { uriTemplate: string; name: string; title: string; description: string; mimeType: string }[];
  /** Null where there is none of this address. */
  read(uri: string): Promise<{ mimeType: string; text: string } | null>;
}

interface McpResource {
  uri: string;
  name: string;
  title: string;
  mimeType: string;
}

export interface McpTool {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  /** What it changes; nothing when absent. */
  changes?: "more" | "for good";
  /** The shape of the result, for a program; absent where the result is text alone. */
  output?: z.ZodObject;
  /** What a model reads as the result: with `output` JSON. What it can mend itself is thrown as an `AppError`. */
  call(input: unknown, tell: TellProgress): Promise<string | { text: string; structured: object }>;
}

/** Says how far a call is: `progress` rises. */
export type TellProgress = (news: { progress: number; message: string }) => void;
