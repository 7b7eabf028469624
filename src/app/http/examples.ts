import { readFileSync } from "node:fs";
import { ERROR_ANSWERS } from "#kit/http/document/error-answers.ts";

interface Examples {
  /** Keyed by operation ID, or by the type of a webhook event. */
  [operation: string]: { body?: unknown; answers: Record<string, Record<string, unknown>> };
}
/** Read at startup, like the code: after an upgrade the files belong to another version. */
const EXAMPLES = JSON.parse(readFileSync(new URL("./examples.json", import.meta.url), "utf8")) as Examples;

type Content = Record<string, { example?: unknown }> | undefined;
interface Described {
  operationId?: string;
  requestBody?: { content?: Content } | undefined;
  responses?: Record<string, { content?: Content }>;
}
type Paths = Record<string, Record<string, Described>>;

/**
 * Adds recorded requests and responses to the document, as `test/gate/api-examples.test.ts` writes them: the response
 * of each operation, and the first occurrence of each error.
 */
export function addExamples(paths: Paths, webhooks: Paths, errors: Record<string, { content?: Content }>): void {
  const described = Object.values(paths).flatMap((item) => Object.values(item));
  for (const { operationId = "", requestBody, responses = {} } of described) {
    const { body, answers = {} } = EXAMPLES[operationId] ?? {};
    if (body !== undefined) show(requestBody?.content, { "application/json": body });
    for (const [status, answer] of Object.entries(answers)) show(responses[status]?.content, answer);
  }
  for (const [type, { post }] of Object.entries(webhooks)) {
    const body = EXAMPLES[type]?.body;
    if (body !== undefined) show(post?.requestBody?.content, { "application/json": body });
  }
  for (const [status, { name }] of Object.entries(ERROR_ANSWERS)) {
    const first = Object.values(EXAMPLES).find(({ answers }) => answers[status])?.answers[status];
    if (first) show(errors[name]?.content, first);
  }
}

function show(content: Content, values: Record<string, unknown>): void {
  for (const [type, example] of Object.entries(values)) {
    const form = content?.[type];
    if (form) form.example = example;
  }
}
