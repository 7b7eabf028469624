import type { RenderInput } from "#docs/render/page.ts";
import type { Request } from "./messages.ts";

export type RenderRequest = Omit<Extract<Request, { kind: "render" }>, "id">;

/** What a render process is asked for a page: all that is left open is settled. */
export const renderRequest = (input: Omit<RenderInput, "readInclude">): RenderRequest => ({
  kind: "render",
  path: input.path,
  source: input.source,
  format: input.format,
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
