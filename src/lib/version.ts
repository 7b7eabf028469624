import { readFileSync } from "node:fs";
import path from "node:path";

const manifest = path.join(import.meta.dirname, "..", "..", "package.json");

/** Of Docent, as its package says. */
export const readVersion = (): string => (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
