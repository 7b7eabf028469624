import { afterAll, beforeAll, expect, it } from "vitest";
import { pageSections } from "#features/sites/search/page-sections.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";

const BILLING_YAML = `openapi: 3.1.0
info: { title: Billing, version: "1" }
paths:
  /subscriptions:
    post:
      summary: Subscribe
      requestBody:
        content: { application/json: { schema: { type: object, properties: { callbackUrl: { type: string } } } } }
      responses: { "201": { description: Subscribed. } }
      callbacks:
        invoicePaid:
          "{$request.body#/callbackUrl}":
            post:
              summary: An invoice was paid
              description: Sent within **a minute**.
              parameters:
                - { name: X-Signature, in: header, required: true, schema: { type: string } }
              requestBody:
                content: { application/json: { schema: { $ref: "#/components/schemas/Invoice" } } }
              responses:
                "204": { description: Understood. }
                "410": { description: Stop sending. }
        shared: { $ref: "#/components/callbacks/Refund" }
        broken: { $ref: "#/components/callbacks/None" }
        x-note: { "/x": { post: { summary: No callback } } }
components:
  callbacks:
    Refund:
      "{$request.query.refunds}/done":
        put: { deprecated: true, responses: { default: { description: Any answer. } } }
  schemas:
    Invoice: { type: object, required: [total], properties: { total: { type: integer }, previous: { $ref: "#/components/schemas/Invoice" } } }
`;

const FILES = {
  "docs.json": JSON.stringify({ name: "Billing", navigation: { groups: [{ group: "API", openapi: "billing.yaml" }] } }),
  "billing.yaml": BILLING_YAML,
};

const contentProcess = sharedContent();
let site: TestSite;

beforeAll(async () => {
  site = await createTestSite(FILES, { contentProcess });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await contentProcess[Symbol.asyncDispose]();
});

it("shows each callback of an operation with its address, payload and responses", async () => {
  const page = await (await site.request("/api-reference/subscribe")).text();
  expect(page).toContain('<h2 id="callbacks">');
  expect(page).toContain('<h3 id="callback-invoicepaid">');
  expect(page).toContain('<span class="api-path"><b>{$request.body#/callbackUrl}</b></span>');
  expect(page).toContain("Sent within <strong>a minute</strong>.");
  expect(page).toContain('<code class="field-name">X-Signature</code>');
  expect(page).toContain('<code class="field-name">total</code>');
  expect(page).toContain("Stop sending.");
  expect(page).toContain("The same again: Invoice.");
  expect(page).toContain('<span class="api-path"><b>{$request.query.refunds}</b>/done</span>');
  expect(page).toContain('data-method="put">PUT</span>');
  expect(page).not.toContain("No callback");
});

it("includes the callbacks in the Markdown", async () => {
  const markdown = await (await site.request("/api-reference/subscribe.md")).text();
  expect(markdown).toContain("## Callbacks\n\n### invoicePaid\n\nThe API sends `POST {$request.body#/callbackUrl}`");
  expect(markdown).toContain("- `total` (`integer`, required)");
  expect(markdown).toContain("#### 410\n\nStop sending.");
  expect(markdown).toContain("### shared\n\nThe API sends `PUT {$request.query.refunds}/done`\n\n**Deprecated.**");
});

it("finds a callback as a section of its own", async () => {
  const rendered = await contentProcess.render({
    owner: "p",
    path: "billing.yaml",
    source: "",
    format: "md",
    operation: { documentKey: "b", method: "POST", path: "/subscriptions", languages: [], hasPlayground: false },
    readDocument: () =>
      Promise.resolve(
        JSON.stringify({
          openapi: "3.1.0",
          paths: {
            "/subscriptions": { post: { callbacks: { paid: { "{$url}": { post: { description: "Sent late" } } } } } },
          },
        }),
      ),
    readInclude: () => Promise.resolve(null),
  });
  const section = pageSections(rendered, null).find(({ anchor }) => anchor === "callback-paid");
  expect(section?.heading).toBe("paid");
  expect(section?.text).toContain("Sent late");
});
