import { posix } from "node:path";
import { Data, isRecord } from "#docs/dialects/reading/data.ts";
import type { ReadContext } from "#docs/dialects/tool-site.ts";

const MAX_INHERITED = 10;

/** The configuration merged with those that it inherits (`INHERIT: ../base.yml`): mappings are merged, other values replaced. */
export async function readConfig(file: string, { repository, problems }: ReadContext): Promise<Data> {
  const layers: unknown[] = [];
  const seen = new Set<string>();
  for (let path: string | null = file; path !== null && !seen.has(path) && layers.length < MAX_INHERITED;) {
    seen.add(path);
    const data = await repository.data(path, problems);
    layers.unshift(data.raw);
    const parent = data.get("INHERIT").text();
    path = parent === null ? null : posix.join(posix.dirname(path), parent);
    if (path !== null && !repository.has(path)) path = null;
  }
  return Data.of(
    layers.reduce((below, above) => merged(below, above, 0), {}),
    problems,
  );
}

function merged(below: unknown, above: unknown, depth: number): unknown {
  if (!isRecord(below) || !isRecord(above) || depth > 20) return above ?? below;
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...keys].map((key) => [key, merged(below[key], above[key], depth + 1)]));
}
