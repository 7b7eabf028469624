import type { DialectName } from "#docs/dialect.ts";

/** How pages of a tool write what Markdown has no syntax for. For agents that edit them: pages must still build in that tool. */
export const SYNTAX_GUIDES: Readonly<Record<Exclude<DialectName, "native">, string>> = {
  docusaurus:
    'The pages are written for Docusaurus, as MDX. Callouts: `:::note[Title]` to `:::` on lines of their own (note, tip, info, warning, danger). Tabs: `<Tabs>` with `<TabItem value="a" label="A">`, imported from `@theme/Tabs` and `@theme/TabItem` below the front matter. Code: ```` ```js title="a.js" {1,3} showLineNumbers ````. Ids of headings: `{#id}`. Links to pages: the relative path of the file, with its extension.',
  starlight:
    'The pages are written for Starlight. Callouts: `:::note[Title]` to `:::` on lines of their own (note, tip, caution, danger). In `.mdx` alone: `<Steps>` around a numbered list, `<Tabs>` with `<TabItem label="A">`, `<CardGrid>` with `<Card title="A" icon="star">` or `<LinkCard title="A" href="/a/" />`, `<FileTree>` around a list; each imported from `@astrojs/starlight/components`. Code: ```` ```js title="a.js" {1,3} ins={4} del={5} ````. Links to pages: the address from the root, with a slash at its end.',
  vitepress:
    "The pages are written for VitePress, as Markdown with Vue. Callouts: `::: tip Title` to `:::` on lines of their own (info, tip, warning, danger, details). Code in tabs: `::: code-group` around blocks such as ```` ```js [a.js] ````. Lines of code: ```` ```js{1,3}:line-numbers ````, `// [!code ++]`, `// [!code focus]`. Code of a file: `<<< @/path/to/file.js{1,3}`. Double braces outside of code are Vue. Links to pages: a path with or without `.md`.",
  mkdocs:
    'The pages are written for MkDocs, with Python-Markdown: what belongs to a block or a list\'s item is indented by four spaces. Callouts: `!!! note "Title"` with its content indented below (note, tip, info, warning, danger, example); `??? note "Title"` opens with a click. Tabs: `=== "A"` with indented content. Code: ```` ```py title="a.py" hl_lines="1 3" linenums="1" ````. Part of a file: `--8<-- "path"`. Attributes: `{ #id .class }`. Use only extensions that `mkdocs.yml` lists. Links to pages: the relative path of the file, with `.md`.',
  gitbook:
    'The pages are written for GitBook. Callouts: `{% hint style="info" %}` to `{% endhint %}` (info, success, warning, danger). Tabs: `{% tabs %}`, `{% tab title="A" %}`, `{% endtab %}`, `{% endtabs %}`. Code: `{% code title="a.js" lineNumbers="true" %}` around a block. Steps: `{% stepper %}` with `{% step %}`. A file: `{% file src="path" %}`. Text that opens: `<details>` with `<summary>`. Links to pages: the relative path of the file, with `.md`.',
  nextra:
    'The pages are written for Nextra, as MDX. Components are imported from `nextra/components`: `<Callout type="warning">` (default, info, warning, error, important), `<Tabs items={[\'A\', \'B\']}>` with `<Tabs.Tab>`, `<Steps>` around headings of the third rank, `<Cards>` with `<Cards.Card title="A" href="/a" />`, `<FileTree>`. Code: ```` ```js filename="a.js" {1,3} showLineNumbers ````. Links to pages: the address from the root.',
  fumadocs:
    'The pages are written for Fumadocs, as MDX. `<Callout type="warn" title="A">` (info, warn, error, success) and `<Cards>` with `<Card title="A" href="/docs/a" />` need no import; `<Tabs items={[\'A\', \'B\']}>` with `<Tab value="A">`, `<Steps>` with `<Step>`, `<Accordions>` with `<Accordion title="A">` and `<Files>` are imported from `fumadocs-ui/components/…`. Code: ```` ```js title="a.js" ````, `// [!code highlight]`. Links to pages: the address from the root.',
  plain:
    "The pages are Markdown as GitHub shows it, without components. Callouts: a quote that begins with `> [!NOTE]` (NOTE, TIP, IMPORTANT, WARNING, CAUTION). Text that opens: `<details>` with `<summary>`. Links to pages: the relative path of the file, with `.md`.",
};
