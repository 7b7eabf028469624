import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * A module of `src/` with all that it imports, as files that browsers load from one folder. For modules that need
 * nothing of Node; their packages must be modules themselves.
 */
export function browserFiles(entry: string): Map<string, string> {
  const files = new Map<string, string>();
  const open = [new URL(entry, import.meta.url)];
  for (let url = open.pop(); url !== undefined; url = open.pop()) {
    const name = nameOf(url);
    if (files.has(name)) continue;
    const source = readFileSync(url, "utf8");
    const script = url.pathname.endsWith(".ts") ? stripTypeScriptTypes(source) : source;
    const from = url;
    const linked = script.replaceAll(
      /^(import|export)\b([^;"']*?)from\s*["']([^"']+)["']/gm,
      (_, word, names, path) => {
        const target = resolve(String(path), from);
        open.push(target);
        return `${String(word)}${String(names)}from "./${nameOf(target)}"`;
      },
    );
    files.set(name, linked);
  }
  return files;
}

function resolve(specifier: string, from: URL): URL {
  if (specifier.startsWith(".")) return new URL(specifier, from);
  if (specifier.startsWith("#")) return new URL(`../../../${specifier.slice(1)}`, import.meta.url);
  const main = new URL(import.meta.resolve(specifier));
  // Published in two forms, the one for Node at the root.
  return fileURLToPath(main).includes("/esm/") ? main : new URL("./esm/mod.js", main);
}

const nameOf = (url: URL): string => (url.pathname.split("/").pop() ?? "").replace(/\.[jt]s$/, "") + ".js";
