const GROUP = 50;
const WORDS =
  "the a site page team version release token request answer field value order harbor ship port cargo crane dock signal " +
  "deploy install configure update remove connect retry limit error client server account region storage queue event " +
  "returns sends reads writes keeps shows takes makes before after while when with without between over under per each";

/**
 * Pages of generated documentation, the same in each run, in a form that every static site generator reads: front matter,
 * headings, prose, a list, a table, code in three languages and links to other pages. About 6 KB each. Paths are `guides/…md`.
 */
export function makePages(count: number): Record<string, string> {
  const pages: Record<string, string> = {};
  for (let number = 0; number < count; number++) pages[pathOf(number)] = makePage(number, count);
  return pages;
}

/** One of the pages. `word` is in its first paragraph, to distinguish versions of the page. */
export function makePage(number: number, count: number, word = "unchanged"): string {
  const text = createText(number);
  const link = (step: number) => {
    const to = (number + step) % count;
    return `[page ${to}](/${pathOf(to).replace(/\.md$/, "")})`;
  };
  const sections = Array.from({ length: 6 }, (_, section) => {
    const extras = [
      `- ${text(6)}\n- ${text(8)} ${link(section + 1)}\n- ${text(5)}`,
      `| Name | Type | What it does |\n| --- | --- | --- |\n| \`${text(1)}\` | string | ${text(7)} |\n| \`${text(1)}\` | number | ${text(9)} |`,
      `\`\`\`ts\nconst answer = await client.${text(1)}({ id: ${number}, name: "${text(2)}" });\nif (!answer.ok) throw new Error("${text(4)}");\n\`\`\``,
      `\`\`\`bash\ncurl -X POST https://api.example.com/v1/${text(1)} -d '{"id": ${number}}'\n\`\`\``,
      `\`\`\`json\n{ "id": ${number}, "name": "${text(2)}", "tags": ["${text(1)}", "${text(1)}"] }\n\`\`\``,
      `> ${text(14)}`,
    ];
    return `## Section ${section + 1}: ${text(3)}\n\n${text(60)}. See ${link(section * 7 + 3)}.\n\n${extras[section]!}\n\n${text(40)}.\n`;
  });
  return `---\ntitle: "Page ${number}"\ndescription: "${text(8)}"\n---\n\n${text(30)} ${word}.\n\n${sections.join("\n")}`;
}

export const pathOf = (number: number): string => `guides/part-${Math.floor(number / GROUP)}/page-${number}.md`;

/** Docent's configuration for this many pages: a group for every folder. */
export function docsConfig(count: number): string {
  const groups = Array.from({ length: Math.ceil(count / GROUP) }, (_, group) => ({
    group: `Part ${group}`,
    pages: Array.from({ length: Math.min(GROUP, count - group * GROUP) }, (__, at) =>
      pathOf(group * GROUP + at).replace(/\.md$/, ""),
    ),
  }));
  return JSON.stringify({ name: "Bench", navigation: { groups } }, null, 2);
}

function createText(seed: number): (words: number) => string {
  const words = WORDS.split(" ");
  let state = seed * 2_654_435_761 + 1;
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0);
  return (count) => Array.from({ length: count }, () => words[(next() >>> 8) % words.length]!).join(" ");
}
