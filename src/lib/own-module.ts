import path from "node:path";

/**
 * The address of a module next to the calling one, for threads and child processes: `ownModule(import.meta.url,
 * "worker")`. A checkout has the TypeScript file, an installed package the compiled JavaScript.
 */
export const ownModule = (from: string, name: string): URL => new URL(`${name}${path.extname(from)}`, from);
