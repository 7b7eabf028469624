import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { parseFile } from "#docs/api/reading/parse-file.ts";
import { createContentProcess } from "#docs/render/process/content-process.ts";
import { silentLogger } from "#lib/logger.ts";
import { createTestSite } from "#testing/site.ts";
import { describedOperations, type Fact } from "./api-fidelity/described.ts";
import { missingFacts } from "./api-fidelity/shown.ts";

const HELP = `Compares the pages of an API with its description: every operation, parameter, body and answer.

  npm run bench bench/api-fidelity.ts -- [--file PATH …] [--generated N] [--json]

  --file       an OpenAPI 3 document in one file
  --generated  a document with so many operations, made here
`;

const { values } = parseArgs({
  options: {
    file: { type: "string", multiple: true, default: [] },
    generated: { type: "string", multiple: true, default: [] },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help || values.file.length + values.generated.length === 0) {
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 2);
}

await using contentProcess = createContentProcess({ logger: silentLogger, processes: 2 });
const reports = [];
for (const file of values.file) reports.push(await judge(path.basename(file), await readFile(file, "utf8")));
for (const count of values.generated) reports.push(await judge(`generated ${count}`, generated(Number(count))));
if (values.json) process.stdout.write(`${JSON.stringify(reports, null, 2)}\n`);

async function judge(name: string, source: string) {
  const parsed = parseFile(source);
  if (!parsed.ok) throw new Error(`${name}: ${parsed.message}`);
  const operations = describedOperations(parsed.value as Record<string, unknown>);
  const startedAt = performance.now();
  const file = source.trimStart().startsWith("{") ? "api.json" : "api.yaml";
  await using site = await createTestSite(
    {
      "docs.json": JSON.stringify({ name: "A", navigation: { groups: [{ group: "A", openapi: file }] } }),
      [file]: source,
    },
    { contentProcess },
  );
  const index = await (await site.request("/sitemap.xml")).text();
  const loadedMs = Math.round(performance.now() - startedAt);
  const pages = new Map<string, { html: string; markdown: string }>();
  for (const [, route = ""] of index.matchAll(/<loc>https?:\/\/[^/<]+(\/[^<]*)<\/loc>/g)) {
    const html = await (await site.request(route)).text();
    const content = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
    const method = /data-method="([a-z]+)"/.exec(content)?.[1]?.toUpperCase() ?? "";
    const at = plain(/<span class="api-path">([^]*?)<\/span><\/code>/.exec(content)?.[1] ?? "");
    if (pages.has(`${method} ${at}`)) continue;
    const markdown = await (await site.request(`${route}.md`)).text();
    pages.set(`${method} ${at}`, { html: content, markdown });
  }
  let facts = 0;
  let cut = 0;
  const missing: { operation: string; fact: Fact }[] = [];
  const withoutPage: string[] = [];
  for (const operation of operations) {
    const key = `${operation.method} ${operation.path}`;
    const page = pages.get(key);
    if (page === undefined) {
      withoutPage.push(key);
      continue;
    }
    const found = missingFacts(operation, page);
    facts += operation.facts.length;
    // A page that is cut says so to readers and in the report.
    if (found.isCut) cut += 1;
    else missing.push(...found.missing.map((fact) => ({ operation: key, fact })));
  }
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const report = {
    name,
    megabytes: Math.round(source.length / 10_000) / 100,
    operations: operations.length,
    withoutPage: withoutPage.length,
    facts,
    missing: missing.length,
    cut,
    loadedMs,
    seconds,
    examples: [
      ...withoutPage.slice(0, 5),
      ...missing.slice(0, 12).map(({ operation, fact }) => `${operation}: ${JSON.stringify(fact)}`),
    ],
  };
  if (!values.json) process.stdout.write(`${JSON.stringify(report, null, 1)}\n`);
  return report;
}

function plain(html: string): string {
  return html
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

/** A document in which every operation has parameters of each place, a body and responses. */
function generated(count: number): string {
  const paths: Record<string, unknown> = {};
  for (let at = 0; at < count; at += 1) {
    paths[`/things-${at}/{id}`] = {
      [["get", "post", "put", "delete"][at % 4] ?? "get"]: {
        summary: `Operation ${at}`,
        tags: [`Tag ${at % 40}`],
        parameters: ["path", "query", "header"].map((place) => ({
          name: place === "path" ? "id" : `${place}-${at}`,
          in: place,
          required: place === "path",
          schema: { type: "string", enum: [`a${at}`, "b"], default: "b" },
        })),
        requestBody: { content: { "application/json": { schema: { $ref: `#/components/schemas/S${at % 50}` } } } },
        responses: {
          200: {
            description: "ok",
            content: { "application/json": { schema: { $ref: `#/components/schemas/S${(at + 1) % 50}` } } },
          },
          404: { description: "none" },
        },
      },
    };
  }
  const properties = (name: number) =>
    Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `field_${name}_${at}`,
        { type: "integer", description: "Words about a field. ".repeat(4) },
      ]),
    );
  const schemas = Object.fromEntries(
    Array.from({ length: 50 }, (_, at) => [
      `S${at}`,
      { type: "object", required: [`field_${at}_1`], properties: properties(at) },
    ]),
  );
  return JSON.stringify({ openapi: "3.1.0", info: { title: "A", version: "1" }, paths, components: { schemas } });
}
