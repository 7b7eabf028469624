import { isYes } from "#docs/front-matter.ts";
import type { ToolPage } from "./tool-site.ts";

/** `draft: true` in the front matter, which has to be one of the dialect's `keys`. */
export const isMarkedDraft = ({ written }: ToolPage): boolean => isYes(written["draft"]);
