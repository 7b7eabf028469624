import path from "node:path";

/**
 * The address of a module beside the one that asks, for threads and processes of its own: `ownModule(import.meta.url,
 * "worker")`. A checkout has the TypeScript, an installed package the JavaScript that was made of it.
 */
export const ownModule = (from: string, name: string): URL => new URL(`${name}${path.extname(from)}`, from);
