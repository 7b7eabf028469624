import { expect, it } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { problemLines, reportOf, versionOf } from "#testing/reports.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { markdownOf } from "./markdown-page.ts";
import { createPageContents } from "./page-content.ts";

const STARLIGHT = {
  "site/astro.config.mjs": 'import s from "@astrojs/starlight";\nexport default { integrations: [s({ title: "A" })] };',
  "site/tsconfig.json": '{ "compilerOptions": { "paths": { "@parts/*": ["src/content/docs/_parts/*"] } } }',
};
const PAGE = "site/src/content/docs/index.mdx";
const DOCUSAURUS = { "site/docusaurus.config.js": 'export default { title: "A", presets: [["classic", {}]] };' };

it.each([
  [
    "the name of a folder in tsconfig.json",
    {
      ...STARLIGHT,
      [PAGE]: 'import Cta from "@parts/cta.mdx";\n\n<Cta />\n',
      "site/src/content/docs/_parts/cta.mdx": "Run *wonder*.\n",
    },
  ],
  [
    "@site of Docusaurus",
    {
      ...DOCUSAURUS,
      "site/docs/index.mdx": "import Cta from '@site/parts/_cta.mdx';\n\n<Cta />\n",
      "site/parts/_cta.mdx": "Run *wonder*.\n",
    },
  ],
])("a page shows the Markdown file that it imports by %s", async (_, files) => {
  const content = sharedContent();
  const project = newProjectId();
  const version = await versionOf(files, { apiDocuments: content.apiDocuments, project });
  const contents = createPageContents({ logger: silentLogger, contentProcess: content, readsLinks: true });
  const [page] = [...version.docs.pages.values()];
  expect((await contents.render(project, version, page!)).html).toContain("<p>Run <em>wonder</em>.</p>");
  expect(await markdownOf(version, page!)).toContain("Run *wonder*.");
  expect(problemLines(await reportOf(files))).toEqual([]);
});

it("the report names a missing file that a page imports by such a name", async () => {
  const files = { ...STARLIGHT, [PAGE]: 'import Cta from "@parts/gone.mdx";\n\nText\n\n<Cta />\n' };
  expect(problemLines(await reportOf(files))).toEqual([
    `${PAGE}:1 error snippet: The import of src/content/docs/_parts/gone.mdx is left out: there is no such file.`,
    `${PAGE}:5 warning unknown_component: <Cta> is not a component of this site. Its content is shown.`,
  ]);
});
