import type { z } from "zod";

/**
 * The Model Context Protocol over streamable HTTP, for a stateless server that sends nothing on its own. Supports both
 * forms: requests that carry all their context (revision 2026-07-28), and requests after an `initialize` (2025-11-25
 * and before), of which no state is kept.
 */
export interface McpServer {
  info: { name: string; title: string; version: string; websiteUrl: string };
  /** Describes the server to the model. */
  instructions: string;
  tools: readonly McpTool[];
  /** Resources that a client may offer to its model; absent when the server has none. */
  resources?: McpResources;
}

export interface McpResources {
  list(): Promise<McpResource[]>;
  templates: readonly { uriTemplate: string; name: string; title: string; description: string; mimeType: string }[];
  /** Null when no resource has this URI. */
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
  /** The schema of the result, for programs; absent when the result is plain text. */
  output?: z.ZodObject;
  /**
   * The result that the model reads; JSON when `output` is set. Errors that the model can correct are thrown as an
   * `AppError`.
   */
  call(input: unknown, tell: TellProgress): Promise<string | { text: string; structured: object }>;
}

/** Reports the progress of a call: `progress` only grows. */
export type TellProgress = (news: { progress: number; message: string }) => void;
