import { PNG } from "#testing/sample-files.ts";
import type { TestFile } from "#testing/repositories.ts";
import { callTool, searchFor, type Expected, type GeneratedRepository } from "./generated-repository.ts";
import { createRandom } from "./random.ts";

/** What the constructs of a page are made with. */
interface Writer {
  /** A word that occurs nowhere else; readers, programs and the search must get it. */
  word(): string;
  /** The same of an address or a tooltip, which are not searched. */
  detail(): string;
  /** A word of a comment, which nobody must get. */
  absent(): string;
  /** A file beside the pages; returns its name. */
  part(extension: string, text: string): string;
  picture: string;
}

/** Indents what stands in a construct of Markdown that goes by indentation. */
const indent = (text: string) => text.replaceAll(/^(?=.)/gm, "    ");
const block = (open: string, inner: string, close: string) => `${open}\n\n${inner}\n\n${close}`;

type Leaf = (writer: Writer) => string;
type Around = (writer: Writer, inner: string) => string;

interface Tool {
  extension: string;
  folder: string;
  /** The configuration, with the name of the site and the pages of the navigation; every page has its words. */
  files(name: string, pages: { name: string; title: string }[], word: () => string): Record<string, string>;
  /** Lines of the front matter that readers of the page see. */
  head?(word: () => string, isEven: boolean): string;
  leaves: Leaf[];
  around: Around[];
}

const MARKDOWN: Leaf[] = [
  ({ word }) => `${word()} **${word()}** and \`${word()} <b>\`.`,
  ({ word }) => `- ${word()}\n- [ ] ${word()}\n\n    ${word()}`,
  ({ word }) => `| ${word()} | ${word()} |\n|---|---|\n| ${word()} | \`${word()} \\| ${word()}\` |`,
  ({ word }) => `## ${word()}\n\n> ${word()}\n> ${word()}`,
  ({ word }) => `> [!WARNING]\n> ${word()}`,
  ({ word, picture }) => `![${word()}](${picture})`,
  ({ word, detail }) => `[${word()}](https://elsewhere.example/${detail()} "${detail()}")`,
  ({ word }) => `\`\`\`js\nconst ${word()} = "{{ ${word()} }}"; // ${word()}\n\`\`\``,
  ({ word }) => `\`\`\`\`md\n\`\`\`js\n:::note ${word()}\n\`\`\`\n!!! note "${word()}"\n{% hint %} ${word()}\n\`\`\`\``,
  ({ word }) => `~~~html\n<Tabs title="${word()}">\`\`\`</Tabs> <!-- ${word()} -->\n~~~`,
  ({ word }) => `1. ${word()}\n2. ${word()}\n   - ${word()}\n\n     \`\`\`sh\n     ${word()}\n     \`\`\``,
  ({ word }) => `~~${word()}~~ *${word()}* <https://elsewhere.example/${word()}> ${word()}  \n${word()}`,
  ({ word }) => `    ${word()} <b>`,
  ({ word }) => `$$\n\\text{${word()}}\n$$`,
  ({ word }) => `Term ${word()} &amp; ${word()}\\_${word()} &lt;${word()}&gt;`,
];
const HTML: Leaf[] = [
  ({ word }) => `<details><summary>${word()}</summary>\n\n${word()}\n\n</details>`,
  ({ word, detail }) => `Press <kbd>${word()}</kbd> or <abbr title="${detail()}">${word()}</abbr>.`,
];

const colons = (inner: string) =>
  ":".repeat(3 + (/^:{3,}/m.exec(inner) ? Math.max(...inner.match(/^:{3,}/gm)!.map((each) => each.length)) - 2 : 0));
const aside: Around = ({ word }, inner) => block(`${colons(inner)}tip[${word()}]`, inner, colons(inner));

const TOOLS: Record<string, Tool> = {
  mkdocs: {
    extension: "md",
    folder: "docs/",
    files: (name, pages, word) => ({
      "mkdocs.yml": [
        `site_name: ${JSON.stringify(name)}`,
        `copyright: Copyright ${word()} <a href="https://elsewhere.example/${word()}">${word()}</a>`,
        `extra:\n  social:\n    - icon: fontawesome/brands/github\n      link: https://elsewhere.example/${word()}\n      name: ${word()}`,
        "theme:\n  name: material",
        "markdown_extensions:\n  - admonition\n  - attr_list\n  - def_list\n  - footnotes\n  - md_in_html\n  - pymdownx.details\n  - pymdownx.superfences\n  - pymdownx.mark\n  - pymdownx.tasklist\n  - pymdownx.tabbed:\n      alternate_style: true\n  - pymdownx.snippets:\n      base_path: docs",
        `nav:\n  - ${word()}: https://elsewhere.example/${word()}\n  - ${word()}:\n${pages.map((page) => `    - ${JSON.stringify(page.title)}: ${page.name}.md`).join("\n")}`,
      ].join("\n"),
    }),
    leaves: [
      ...MARKDOWN,
      ({ word }) => `${word()}\n:   ${word()}`,
      ({ word }) => `\`\`\` py title="${word()}.py" linenums="1" hl_lines="1"\n${word()} = 1\n\`\`\``,
      ({ word, part }) => `--8<-- "${part("md", `${word()}\n`)}"`,
      ({ word, part }) => `\`\`\`py\n--8<-- "${part("py", `${word()} = "${word()}"\n`)}"\n\`\`\``,
      ({ word }) => `==${word()}== ${word()}`,
      ({ word, picture }) => `![${word()}](${picture}){ loading=lazy width="300" }`,
      ({ word }) => `[${word()}](https://elsewhere.example){ .md-button .${"md-button--primary"} }`,
      ({ word }) => `${word()} :octicons-link-16: ${word()}`,
      ({ word }) => `\`\`\`py\n${word()} = 1 # (1)!\n\`\`\`\n\n1.  ${word()} **${word()}**`,
      ({ word }) => `/// note | ${word()}\n${word()}\n///`,
      ({ word }) => `++ctrl+"${word()}"++ ^^${word()}^^ ~~${word()}~~`,
      ({ word }) => `## ${word()} { #a-${"b"} }\n\n${word()}`,
      ({ word }) => `${word()}\n!!! note\n    ${word()}`,
      ({ word }) => `!!! note ""\n    ${word()}\n\n    ${word()}`,
      ({ word }) =>
        `<div class="grid cards" markdown>\n\n-   :material-clock: __${word()}__\n\n    ---\n\n    ${word()}\n\n</div>`,
    ],
    around: [
      ({ word }, inner) => `!!! note "${word()}"\n\n${indent(inner)}`,
      ({ word }, inner) => `??? tip "${word()}"\n\n${indent(inner)}`,
      ({ word }, inner) => `=== "${word()}"\n\n${indent(inner)}\n\n=== "${word()}"\n\n    ${word()}`,
      ({ word }, inner) => `- ${word()}\n\n${indent(inner)}`,
      (_, inner) => block('<div class="result" markdown>', inner, "</div>"),
    ],
  },
  vitepress: {
    extension: "md",
    folder: "docs/",
    head: (word, isEven) =>
      isEven
        ? ""
        : `layout: home\nhero:\n  text: ${word()}\n  tagline: ${word()}\n  actions:\n    - { theme: brand, text: ${word()}, link: https://elsewhere.example/${word()} }\nfeatures:\n  - { icon: X, title: ${word()}, details: ${word()}, link: https://elsewhere.example/${word()}, linkText: ${word()} }\n`,
    files: (name, pages, word) => ({
      "docs/.vitepress/config.mts": `import { defineConfig } from "vitepress";\nexport default defineConfig({ title: ${JSON.stringify(name)}, themeConfig: { nav: [{ text: "${word()}", link: "https://elsewhere.example/${word()}" }], footer: { message: "${word()} <b>${word()}</b>", copyright: "${word()}" }, socialLinks: [{ icon: "github", link: "https://elsewhere.example/${word()}" }], sidebar: [{ text: "${word()}", items: [${pages.map((page) => `{ text: ${JSON.stringify(page.title)}, link: "/${page.name}" }`).join(", ")}] }] } });\n`,
    }),
    leaves: [
      ...MARKDOWN.filter((leaf) => !leaf.toString().includes("{{")),
      ...HTML,
      ({ word }) => `\`\`\`js-vue{1}:line-numbers [${word()}.js]\n${word()}(); // ${word()}\n\`\`\``,
      ({ word }) =>
        `::: code-group\n\n\`\`\`js [${word()}]\n${word()}\n\`\`\`\n\n\`\`\`ts [${word()}]\n${word()}\n\`\`\`\n\n:::`,
      ({ word, part }) => `<!--@include: ./${part("md", `${word()}\n`)}-->`,
      ({ word, part }) => `<<< @/${part("js", `${word()}();\n`)}`,
      ({ word }) => `${word()} <Badge type="tip" text="${word()}" />`,
      ({ word }) => `${word()} <span v-pre>{{ ${word()} }}</span>`,
      ({ word }) => `::: v-pre\n{{ ${word()} }}\n:::`,
      ({ word }) => `::: info\n${word()}\n:::`,
      ({ word }) => `> [!TIP] ${word()}\n> ${word()}`,
      ({ word }) => `${word()} {{ "${word()}" }} {{ $frontmatter.title }}`,
      ({ word }) => `\`\`\`js\n${word()}(); // [!code ++]\n// ${word()} [!code focus]\n\`\`\``,
      ({ word, detail }) => `## ${word()} {#${detail()}}`,
      ({ word }) => `<div class="a">\n\n**${word()}**\n\n</div>`,
    ],
    around: [
      ({ word }, inner) => block(`${colons(inner)} warning ${word()}`, inner, colons(inner)),
      ({ word }, inner) => block(`${colons(inner)} details ${word()}`, inner, colons(inner)),
      ({ word }, inner) => `- ${word()}\n\n${inner.replaceAll(/^(?=.)/gm, "  ")}`,
    ],
  },
  docusaurus: {
    extension: "mdx",
    folder: "docs/",
    head: (word) => `sidebar_label: ${word()}\n`,
    files: (name, _, word) => ({
      "docusaurus.config.js": `module.exports = { title: ${JSON.stringify(name)}, url: "https://a.example", baseUrl: "/", themeConfig: { announcementBar: { id: "a", content: "${word()} <b>${word()}</b>" }, navbar: { items: [{ label: "${word()}", href: "https://elsewhere.example/${word()}" }] }, footer: { copyright: "&copy; ${word()} <b>${word()}</b>", links: [{ title: "${word()}", items: [{ label: "${word()}", href: "https://elsewhere.example/${word()}" }, { html: "<i><a href='https://elsewhere.example'>${word()}</a></i>" }] }] } }, presets: [["classic", { docs: { routeBasePath: "/" } }]] };\n`,
    }),
    leaves: [
      ...MARKDOWN,
      ...HTML,
      ({ word }) => `\`\`\`js title="${word()}.js" showLineNumbers {1}\n${word()}();\n\`\`\``,
      ({ word, detail }) => `## ${word()} {#${detail()}}`,
      ({ word, absent }) => `Text {"${word()}"} and {/* ${absent()} */} ${word()}.`,
      ({ word, part }) => {
        const name = `Part${part("mdx", `${word()}\n`)}`;
        return `import ${name.replaceAll(/\W|mdx$/g, "")} from "./${name.slice(4)}";\n\n<${name.replaceAll(/\W|mdx$/g, "")} />`;
      },
      ({ word }) => `<CodeBlock language="js" title="${word()}">{\`${word()}();\`}</CodeBlock>`,
      ({ word }) => `\`\`\`js\n// highlight-next-line\n${word()}(); // ${word()}\n\`\`\``,
      ({ word }) => `:::note\n${word()}\n:::`,
      ({ word }) => `:::note ${word()}\n\n- ${word()}\n\n:::`,
      ({ word, detail }) => `<Link to="https://elsewhere.example/${detail()}">${word()}</Link>`,
    ],
    around: [
      aside,
      ({ word }, inner) =>
        block(
          `<Tabs>\n<TabItem value="a" label="${word()}">`,
          inner,
          `</TabItem>\n<TabItem value="b">\n\n${word()}\n\n</TabItem>\n</Tabs>`,
        ),
      ({ word }, inner) => block(`<details>\n<summary>${word()}</summary>`, inner, "</details>"),
      ({ word }, inner) => block(`<Admonition type="info" title="${word()}">`, inner, "</Admonition>"),
    ],
  },
  starlight: {
    extension: "mdx",
    folder: "src/content/docs/",
    head: (word) =>
      `banner:\n  content: ${word()} <b>${word()}</b>\nsidebar:\n  label: ${word()}\n  badge: ${word()}\n`,
    files: (name, pages, word) => ({
      "astro.config.mjs": `import { defineConfig } from "astro/config";\nimport starlight from "@astrojs/starlight";\nexport default defineConfig({ integrations: [starlight({ title: ${JSON.stringify(name)}, social: [{ icon: "github", label: "${word()}", href: "https://elsewhere.example/${word()}" }], sidebar: [{ label: "${word()}", badge: "${word()}", items: [${pages.map((page) => `{ slug: ${JSON.stringify(page.name)} }`).join(", ")}, { label: "${word()}", link: "https://elsewhere.example/${word()}" }] }] })] });\n`,
    }),
    leaves: [
      ...MARKDOWN,
      ...HTML,
      ({ word }) => `\`\`\`js title="${word()}.js" ins={1} "${"x"}"\n${word()}();\n\`\`\``,
      ({ word }) => `<LinkCard title="${word()}" description="${word()}" href="https://elsewhere.example" />`,
      ({ word }) => `${word()} <Badge text="${word()}" variant="tip" />`,
      ({ word }) => `<FileTree>\n\n- ${word()}/\n  - ${word()}.md ${word()}\n\n</FileTree>`,
      ({ word }) => `:::note\n${word()}\n:::`,
      ({ word, detail }) =>
        `<LinkButton href="https://elsewhere.example/${detail()}" variant="primary">${word()}</LinkButton>`,
      ({ word, absent }) => `{/* ${absent()} */}\n\n${word()}`,
      ({ word }) => `<Code code={\`${word()}\`} lang="js" title="${word()}" />`,
    ],
    around: [
      aside,
      ({ word }, inner) => block(`<Aside type="caution" title="${word()}">`, inner, "</Aside>"),
      ({ word }, inner) => block(`<Tabs>\n<TabItem label="${word()}">`, inner, "</TabItem>\n</Tabs>"),
      ({ word }, inner) => block(`<CardGrid>\n<Card title="${word()}" icon="star">`, inner, "</Card>\n</CardGrid>"),
      ({ word }, inner) => block("<Steps>", `1. ${word()}\n\n${inner.replaceAll(/^(?=.)/gm, "   ")}`, "</Steps>"),
    ],
  },
  gitbook: {
    extension: "md",
    folder: "",
    files: (_, pages, word) => ({
      ".gitbook.yaml": "root: ./\n",
      "SUMMARY.md": `# Table of contents\n\n## ${word()}\n\n* [${word()}](https://elsewhere.example/${word()})\n${pages.map((page) => `* [${page.title}](${page.name}.md)`).join("\n")}\n`,
    }),
    leaves: [
      ...MARKDOWN,
      ...HTML,
      ({ word }) => `{% code title="${word()}.js" lineNumbers="true" %}\n\`\`\`js\n${word()}();\n\`\`\`\n{% endcode %}`,
      ({ word, picture }) =>
        `<figure><img src="${picture}" alt="${word()}"><figcaption><p>${word()}</p></figcaption></figure>`,
      ({ word }) => `{% embed url="https://elsewhere.example" %}\n${word()}\n{% endembed %}`,
      ({ word }) => `{% hint style="warning" %}\n${word()}\n{% endhint %}`,
      ({ word }) =>
        `<table data-view="cards"><thead><tr><th></th></tr></thead><tbody><tr><td>${word()}</td></tr></tbody></table>`,
      ({ word }) => `<pre class="language-js"><code class="lang-js">${word()}();\n</code></pre>`,
      ({ word }) =>
        `<mark style="color:red;">${word()}</mark> <a href="https://elsewhere.example" class="button primary">${word()}</a>`,
    ],
    around: [
      (_, inner) => block('{% hint style="info" %}', inner, "{% endhint %}"),
      ({ word }, inner) => block(`{% tabs %}\n{% tab title="${word()}" %}`, inner, "{% endtab %}\n{% endtabs %}"),
      ({ word }, inner) => block(`{% stepper %}\n{% step %}\n## ${word()}`, inner, "{% endstep %}\n{% endstepper %}"),
    ],
  },
  nextra: {
    extension: "mdx",
    folder: "pages/",
    files: (_, pages, word) => ({
      "next.config.mjs":
        'import nextra from "nextra";\nexport default nextra({ theme: "nextra-theme-docs", themeConfig: "./theme.config.jsx" })();\n',
      "pages/_meta.json": JSON.stringify({
        ...Object.fromEntries(pages.map((page) => [page.name, page.title])),
        "-- a": { type: "separator", title: word() },
        elsewhere: { title: word(), href: `https://elsewhere.example/${word()}` },
      }),
    }),
    leaves: [...MARKDOWN, ...HTML, ({ word }) => `\`\`\`js filename="${word()}.js" {1}\n${word()}();\n\`\`\``],
    around: [
      (_, inner) => block('<Callout type="info">', inner, "</Callout>"),
      ({ word }, inner) => block(`<Tabs items={["${word()}"]}>\n<Tabs.Tab>`, inner, "</Tabs.Tab>\n</Tabs>"),
      ({ word }, inner) => block("<Steps>", `### ${word()}\n\n${inner}`, "</Steps>"),
    ],
  },
};

export const TOOL_NAMES = Object.keys(TOOLS);

/**
 * A docs repository of another tool: pages with constructs of its syntax, nested in each other. Every word of them is
 * expected on the page, in its Markdown, at the search and from the tools for programs.
 */
export function generateToolRepository(toolName: string, seed: number): GeneratedRepository {
  const tool = TOOLS[toolName]!;
  const next = createRandom(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;
  let count = 0;
  const newWord = () => `w${(count += 1)}x${below(1_000_000).toString(36)}q`;
  const files: Record<string, TestFile> = { [`${tool.folder}picture.png`]: PNG };
  const expected: Expected[] = [];
  const title = () => pick([newWord(), `${newWord()} & "${newWord()}"`, `${newWord()}: 4.10`, `007 ${newWord()}`]);
  const pages = Array.from({ length: 1 + below(3) }, (_, index) => ({ name: `${newWord()}-${index}`, title: title() }));

  pages.unshift({ name: "index", title: title() });
  for (const page of pages) {
    const path = `${tool.folder}${page.name}.${tool.extension}`;
    const address = page.name === "index" ? "/" : `/${page.name}`;
    const [words, details, comments]: [string[], string[], string[]] = [[], [], []];
    const addTo = (list: string[]) => {
      const added = newWord();
      list.push(added);
      return added;
    };
    const writer: Writer = {
      word: () => addTo(words),
      detail: () => addTo(details),
      absent: () => addTo(comments),
      part(extension, text) {
        const name = `part-${newWord()}.${extension}`;
        files[tool.folder + name] = text;
        return name;
      },
      picture: "./picture.png",
    };
    const body = (depth: number): string => {
      if (depth < 3 && next() < 0.55) return pick(tool.around)(writer, body(depth + 1));
      return pick(tool.leaves)(writer);
    };
    const description = newWord();
    const constructs = Array.from({ length: 2 + below(4) }, () => body(0));
    const own: string[] = [];
    const more = tool.head?.(() => addTo(own), pages.indexOf(page) % 2 === 0) ?? "";
    const head = `---\ntitle: ${JSON.stringify(page.title)}\ndescription: ${description}\n${more}---\n`;
    files[path] = `${head}\n${constructs.join("\n\n")}\n`;
    const expect = (what: string, at: string, holds: string) =>
      expected.push({ kind: "text", what: `${what} (${toolName})`, path, address: at, holds });
    const markdown = page.name === "index" ? "/index.md" : `${address}.md`;
    for (const word of [...words, ...details]) {
      expect("a word", address, word);
      expect("a word in Markdown", markdown, word);
      expect("a word for programs", callTool("read_page", { page: address }), word);
    }
    for (const holds of comments) expected.push({ kind: "comment", what: "a comment", path, address, holds });
    for (const word of words) expect("a word in the search", searchFor(word), `"page":"${address}"`);
    for (const word of own) expect("a word of the front matter", address, word);
    expect("the description", address, description);
    expect("the title in the list of pages", callTool("list_pages", {}), page.title);
    expect("the title in llms.txt", "/llms.txt", page.title);
    expect("the description in llms.txt", "/llms.txt", description);
  }
  const name = `${newWord()} & ${newWord()}`;
  const own: string[] = [];
  const configuration = tool.files(name, pages, () => {
    own.push(newWord());
    return own.at(-1)!;
  });
  Object.assign(files, configuration);
  const [path = ""] = Object.keys(configuration);
  if (configuration[path]!.includes(JSON.stringify(name)))
    expected.push({ kind: "text", what: "the name of the site", path, address: "/llms.txt", holds: name });
  for (const word of own)
    expected.push({ kind: "text", what: "a word of the settings", path, address: "/", holds: word });
  return { files, expected };
}
