import { readFileSync } from "node:fs";
import { COMPONENTS_CSS } from "#docs/components/registry.ts";

const read = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");

/** The styles of rendered pages, inside an element with the class `content`. Components have their own. */
export const CONTENT_CSS =
  read("content.css") + COMPONENTS_CSS + read("operation/operation.css") + read("light-and-dark.css");
