import type { HostDescription } from "#testing/hosts/host-description.ts";

/** Parameters that stand for the rest of a path, slashes and all, though few descriptions say so. */
export const isWide = (name: string): boolean => /^(?:ref|path|filepath|basehead|branch)$/.test(name);

/** One line for each operation and schema, so that what a new version changes can be read. */
export function write(description: HostDescription): string {
  const operations = description.operations.toSorted((a, b) =>
    `${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1,
  );
  const schemas = Object.entries(description.schemas).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    `{"source": ${JSON.stringify(description.source)},`,
    `"operations": [\n${operations.map((one) => JSON.stringify(one)).join(",\n")}\n],`,
    `"schemas": {\n${schemas.map(([name, schema]) => `${JSON.stringify(name)}: ${JSON.stringify(schema)}`).join(",\n")}\n}}\n`,
  ].join("\n");
}
