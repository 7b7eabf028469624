import type { DialectName } from "#docs/dialect.ts";
import type { MarkdownFormat, ParseOutcome } from "#docs/parser.ts";
import type { ApiReading } from "#docs/api/api-documents.ts";
import type { TitleCard } from "#docs/render/picture/title-card.ts";
import type { PageToRender, RenderedPage } from "#docs/render/page.ts";

/** An argument that tells a render process not to compile grammars before a page needs them. */
export const COLD = "--cold";

/** A request from the server to the render process, one at a time. */
export type Request =
  | { kind: "parse"; id: number; source: string; format: MarkdownFormat; dialect: DialectName }
  | ({ kind: "render"; id: number } & PageToRender)
  | { kind: "api"; id: number; path: string }
  | { kind: "draw"; id: number; card: TitleCard }
  | { kind: "included"; id: number; path: string; content: string | null };

/** A message from the render process. `include` requests a snippet during a `render`; an
 * `unfinished` page lacks colors and is worth another attempt. */
export type Reply =
  | { kind: "ready" }
  | { kind: "parsed"; id: number; outcome: ParseOutcome }
  | { kind: "read"; id: number; reading: ApiReading }
  | { kind: "rendered"; id: number; page: RenderedPage; unfinished: boolean }
  | { kind: "drawn"; id: number; png: Uint8Array }
  | { kind: "failed"; id: number; message: string; isIncomplete?: boolean }
  | { kind: "include"; id: number; path: string };
