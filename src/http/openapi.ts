import type { OpenAPIHono } from "@hono/zod-openapi";
import { html, raw } from "hono/html";
import type { HttpEnv } from "./context.ts";
import { ANSWER_HEADERS } from "./document/answer-headers.ts";
import { errorResponses } from "./document/error-answers.ts";
import { addExamples } from "./document/examples.ts";
import { TAGS } from "./document/tags.ts";
import { documentConditions } from "./conditional.ts";
import { documentDeprecation } from "./deprecation.ts";
import { describeWebhooks } from "./webhook-messages.ts";
import { documentIdempotency } from "./idempotency.ts";
import { documentScopes } from "./needed-scope.ts";
import { ErrorBody } from "./schemas.ts";

/** Adds to the document what no route says by itself: webhooks, and the schema of errors. Once for a router. */
export function describeBesideRoutes(routes: OpenAPIHono<HttpEnv>): void {
  routes.openAPIRegistry.register("Error", ErrorBody);
  describeWebhooks(routes);
}

type Paths = Parameters<typeof addExamples>[0];
type Answers = Parameters<typeof addExamples>[2];

/** The OpenAPI 3.1 document of the routes, made from the schemas that validate. */
export function openApiDocument(routes: OpenAPIHono<HttpEnv>, options: { serverUrl: string; version: string }) {
  const document = routes.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Docent",
      version: options.version,
      description: "Agent jobs that edit documentation and open pull requests, and unique-visitor analytics.",
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
      contact: { name: "Who runs this server", url: options.serverUrl },
    },
    servers: [{ url: options.serverUrl, description: "This server." }],
    tags: TAGS,
    security: [{ apiKey: [] }],
  });
  documentIdempotency(document.paths);
  documentScopes(document.paths);
  documentConditions(document.paths);
  documentDeprecation(document.paths);
  document.components = {
    ...document.components,
    headers: { ...ANSWER_HEADERS },
    responses: errorResponses(),
    securitySchemes: {
      apiKey: {
        type: "http",
        scheme: "bearer",
        description:
          "An API key of the project, or of the instance for every project of it, from `docent keys create`. Operations with `x-key-of: instance` take the latter alone. `x-required-scope` of an operation is what it needs: `read`, `agent` or `admin`, each with all that those before it may.",
      },
    },
  };
  addExamples(document.paths as Paths, document.webhooks as Paths, document.components.responses as Answers);
  return document;
}

type ApiDocument = ReturnType<typeof openApiDocument>;

const METHODS = ["get", "post", "delete", "patch", "put"] as const;

/** The document as a page for people: every operation with its parameters, body and answers. */
export function referencePage(document: ApiDocument) {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Docent API reference</title>
        <link rel="stylesheet" href="/_docent/reference.css" />
      </head>
      <body>
        <main>
          <h1>Docent API reference</h1>
          <p>
            Base address <code>${document.servers?.[0]?.url}</code>. Every request carries
            <code>Authorization: Bearer docent_…</code>. The same as a document: <a href="/openapi.json">openapi.json</a>.
          </p>
          ${operations.map(({ path, method, operation }) => operationSection({ path, method, operation, document }))}
          <h2 id="schemas">Schemas</h2>
          ${Object.entries(document.components?.schemas ?? {}).map(
            ([name, schema]) =>
              html`<section id="schema-${name}">
                <h3>${name}</h3>
                <pre><code>${JSON.stringify(schema, null, 2)}</code></pre>
              </section>`,
          )}
        </main>
      </body>
    </html>`;
}

type Operation = NonNullable<NonNullable<ApiDocument["paths"]>[string]["get"]>;

/** The answers of an operation, those that many share looked up. */
function responsesOf(operation: Operation, document: ApiDocument): [string, { description?: string }][] {
  const shared: Record<string, { description?: string }> = document.components?.responses ?? {};
  const responses: Record<string, { $ref?: string; description?: string }> = operation.responses ?? {};
  return Object.entries(responses).map(([status, answer]) => [
    status,
    shared[answer.$ref?.split("/").at(-1) ?? ""] ?? answer,
  ]);
}

interface Shown {
  path: string;
  method: string;
  operation: Operation;
  document: ApiDocument;
}

function operationSection({ path, method, operation, document }: Shown) {
  const parameters = (operation.parameters ?? []).flatMap((parameter) => ("name" in parameter ? [parameter] : []));
  const body = operation.requestBody && "content" in operation.requestBody ? operation.requestBody.content : null;
  return html`<section>
    <h2>${operation.summary}</h2>
    <p class="operation"><b>${method.toUpperCase()}</b> <code>${path}</code></p>
    <p>${operation.description}</p>
    ${
      parameters.length > 0
        ? html`<table>
          <tr>
            <th>Parameter</th>
            <th>In</th>
            <th>Meaning</th>
          </tr>
          ${parameters.map(
            (parameter) =>
              html`<tr>
                <td><code>${parameter.name}</code></td>
                <td>${parameter.in}</td>
                <td>${parameter.description ?? ""}</td>
              </tr>`,
          )}
        </table>`
        : raw("")
    }
    ${body ? html`<p>Body: ${schemaLinks(JSON.stringify(body))}</p>` : raw("")}
    <table>
      <tr>
        <th>Status</th>
        <th>Meaning</th>
        <th>Body</th>
      </tr>
      ${responsesOf(operation, document).map(
        ([status, answer]) =>
          html`<tr>
            <td>${status}</td>
            <td>${answer.description ?? ""}</td>
            <td>${schemaLinks(JSON.stringify(answer))}</td>
          </tr>`,
      )}
    </table>
  </section>`;
}

function schemaLinks(json: string) {
  const names = [...new Set([...json.matchAll(/#\/components\/schemas\/(\w+)/g)].map((match) => match[1]!))];
  return names.map((name) => html`<a href="#schema-${name}">${name}</a> `);
}

export const REFERENCE_CSS = `
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
section { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; margin: .75rem 0; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; }
td, .operation { overflow-wrap: anywhere; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
pre { overflow: auto; padding: .75rem; background: color-mix(in srgb, currentColor 7%, transparent); border-radius: 6px; }
.operation b { padding: .1rem .5rem; border-radius: 4px; background: color-mix(in srgb, currentColor 12%, transparent); }
`;
