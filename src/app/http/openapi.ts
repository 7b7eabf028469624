import type { OpenAPIHono } from "@hono/zod-openapi";
import type { HttpEnv } from "#kit/http/context.ts";
import { ANSWER_HEADERS } from "#kit/http/document/answer-headers.ts";
import { errorResponses } from "#kit/http/document/error-answers.ts";
import { addExamples } from "./examples.ts";
import { TAGS } from "./tags.ts";
import { documentConditions } from "#kit/http/conditional.ts";
import { documentDeprecation } from "#kit/http/deprecation.ts";
import { describeWebhooks } from "#features/webhooks/messages.ts";
import { documentIdempotency } from "#kit/http/idempotency.ts";
import { documentScopes } from "#kit/http/operation.ts";
import { ErrorBody } from "#kit/http/schemas.ts";

/** Adds the parts of the document that no route declares: webhooks, and the error schema. Call once per router. */
export function describeBesideRoutes(routes: OpenAPIHono<HttpEnv>): void {
  routes.openAPIRegistry.register("Error", ErrorBody);
  describeWebhooks(routes);
}

// Mentions MCP, which is not an operation, for agents that read the document.
const DESCRIPTION = `Agent jobs that edit documentation and open pull requests, and unique-visitor analytics.

An API key belongs to one project (\`createApiKey\`), or to the instance and all of its projects (\`createInstanceKey\`). Send it as \`Authorization: Bearer KEY\`.

Agents and editors can also access jobs, counts and the docs with the Model Context Protocol: at \`/mcp\` on this server, with the same header. With a key of the instance, name the project: \`/mcp?project=PROJECT_ID\`. \`docent mcp\` offers the same to programs that start a command.`;

type Paths = Parameters<typeof addExamples>[0];
type Answers = Parameters<typeof addExamples>[2];

/** The OpenAPI 3.1 document of the routes, generated from the schemas that validate requests. */
export function openApiDocument(routes: OpenAPIHono<HttpEnv>, options: { serverUrl: string; version: string }) {
  const document = routes.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Docent API",
      version: options.version,
      description: DESCRIPTION,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
      contact: { name: "Operator of this server", url: options.serverUrl },
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
          "API key, created with `docent keys create`. A key of a project is valid for that project, a key of the instance for all projects. Keys have the scope `read`, `agent`, `write` or `admin`; each scope includes the ones before it. The description of an operation says if it requires more than `read`, or a key of the instance. In `/openapi.json`, `x-required-scope` and `x-key-of` say the same for programs.",
      },
    },
  };
  addExamples(document.paths as Paths, document.webhooks as Paths, document.components.responses as Answers);
  return document;
}
