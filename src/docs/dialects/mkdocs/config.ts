import { posix } from "node:path";
import { Data, isRecord } from "#docs/dialects/reading/data.ts";
import type { ReadContext } from "#docs/dialects/tool-site.ts";

const MAX_INHERITED = 10;
const MAX_BESIDE = 10;

/** A configuration, and the file of it that has `nav`; null without one. */
interface Config {
  config: Data;
  navigationFile: string | null;
}

/**
 * The configuration merged with those that it inherits (`INHERIT: ../base.yml`): mappings are merged, other values replaced. A
 * `nav` that stands alone in a file beside it (`mkdocs-nav.yml`) is joined by the build, and counts if there is no other.
 */
export async function readConfig(file: string, { repository, problems }: ReadContext): Promise<Config> {
  const layers: unknown[] = [];
  const seen = new Set<string>();
  let navigationFile: string | null = null;
  for (let path: string | null = file; path !== null && !seen.has(path) && layers.length < MAX_INHERITED;) {
    seen.add(path);
    const data = await repository.data(path, problems);
    layers.unshift(data.raw);
    if (data.has("nav")) navigationFile ??= path;
    const parent = data.get("INHERIT").text();
    path = parent === null ? null : posix.join(posix.dirname(path), parent);
    if (path !== null && !repository.has(path)) path = null;
  }
  if (navigationFile === null) {
    const beside = repository.paths.filter((path) => isBeside(path, file));
    for (const path of beside.slice(0, MAX_BESIDE)) {
      if (seen.has(path) || !/^nav:/m.test((await repository.text(path)) ?? "")) continue;
      const data = await repository.data(path, problems);
      if (data.has("site_name") || navigationFile !== null) continue;
      navigationFile = path;
      layers.unshift({ nav: data.get("nav").raw });
    }
  }
  const config = Data.of(
    layers.reduce((below, above) => merged(below, above, 0), {}),
    problems,
  );
  return { config, navigationFile };
}

const isBeside = (path: string, file: string): boolean =>
  posix.dirname(path) === posix.dirname(file) && /^mkdocs[-_.][^/]{1,100}\.ya?ml$/.test(posix.basename(path));

function merged(below: unknown, above: unknown, depth: number): unknown {
  if (!isRecord(below) || !isRecord(above) || depth > 20) return above ?? below;
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...keys].map((key) => [key, merged(below[key], above[key], depth + 1)]));
}
