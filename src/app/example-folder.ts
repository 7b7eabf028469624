import path from "node:path";

/** A small docs project, for looking around in. */
export const EXAMPLE_FOLDER = path.join(import.meta.dirname, "..", "..", "examples", "harbor-docs");
