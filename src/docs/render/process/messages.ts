import type { DialectName } from "#docs/dialect.ts";
import type { IconLibrary } from "#docs/navigation-icon.ts";
import type { MarkdownFormat, ParseOutcome } from "#docs/parser.ts";
import type { DollarFormulas } from "#docs/render/formulas/mark-formulas.ts";
import type { ApiReading } from "#docs/api/api-documents.ts";
import type { TitleCard } from "#docs/render/picture/title-card.ts";
import type { OperationRequest, RenderedPage, RenderInput } from "#docs/render/page.ts";

/** An argument that tells a render process not to compile grammars before a page needs them. */
export const COLD = "--cold";

/** A request from the server to the render process, one at a time. */
export type Request =
  | { kind: "parse"; id: number; source: string; format: MarkdownFormat; dialect: DialectName }
  | {
      kind: "render";
      id: number;
      path: string;
      source: string;
      format: MarkdownFormat;
      dialect: DialectName;
      contentRoot: string;
      language: string | null;
      variables: Record<string, string>;
      dollars: DollarFormulas;
      iconLibrary: IconLibrary | null;
      stylesheets: readonly string[];
      warnsOfStyles: boolean;
      isColoured: boolean;
      readsLinks: boolean;
      operation: OperationRequest | null;
    }
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
  | { kind: "failed"; id: number; message: string }
  | { kind: "include"; id: number; path: string };

type RenderRequest = Omit<Extract<Request, { kind: "render" }>, "id">;

/** The request for a page, with defaults for all absent fields. */
export const renderRequest = (input: Omit<RenderInput, "readInclude">): RenderRequest => ({
  kind: "render",
  path: input.path,
  source: input.source,
  format: input.format,
  dialect: input.dialect ?? "native",
  contentRoot: input.contentRoot ?? "",
  language: input.language ?? null,
  variables: { ...input.variables },
  dollars: input.dollars ?? "likely",
  iconLibrary: input.iconLibrary ?? null,
  stylesheets: input.stylesheets ?? [],
  warnsOfStyles: input.warnsOfStyles ?? false,
  isColoured: input.isColoured ?? true,
  readsLinks: input.readsLinks ?? false,
  operation: input.operation ?? null,
});
