import { readFileSync } from "node:fs";
import { ERROR_ANSWERS } from "#kit/http/document/error-answers.ts";

interface Examples {
  /** By the id of the operation, or the type of the event of a webhook. */
  [operation: string]: { body?: unknown; answers: Record<string, Record<string, unknown>> };
}
/** Read at the start, as the code is: files that an upgrade replaces are those of another server. */
const EXAMPLES = JSON.parse(readFileSync(new URL("./examples.json", import.meta.url), "utf8")) as Examples;

type Content = Record<string, { example?: unknown }> | undefined;
interface Described {
  operationId?: string;
  requestBody?: { content?: Content } | undefined;
  responses?: Record<string, { content?: Content }>;
}
type Paths = Record<string, Record<string, Described>>;

/**
 * Puts requests and answers of a real server into the document, as `test/gate/api-examples.test.ts` writes them down: what an
 * operation was answered, and of each error the first that came.
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
