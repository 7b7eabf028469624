import path from "node:path";

/** A small docs project to explore. */
export const EXAMPLE_FOLDER = path.join(import.meta.dirname, "..", "..", "examples", "harbor-docs");
