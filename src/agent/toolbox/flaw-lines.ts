import type { Flaw } from "#tools/tool.ts";

const MAX_LINES = 40;

/** Flaws as lines for a model: `- guides/a.mdx:12 There is no component <Foo>.` */
export function flawLines(flaws: readonly Flaw[]): string {
  const lines = flaws.slice(0, MAX_LINES).map(({ path, line, message }) => {
    const place = path === null ? "" : `${path}${line === null ? "" : `:${line}`} `;
    return `- ${place}${message}`;
  });
  if (flaws.length > MAX_LINES) lines.push(`- … and ${flaws.length - MAX_LINES} more`);
  return lines.join("\n");
}
