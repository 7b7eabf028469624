import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestSite, type TestSite } from "#testing/site.ts";

/** Every word in capitals is a fact that readers look for: it appears on the page of the operation or of the API. */
const SHOP_YAML = `openapi: 3.1.0
info:
  title: Shop
  version: "1"
  summary: INFO-SUMMARY
  description: INFO-DESCRIPTION
  contact: { name: CONTACT-NAME, email: CONTACT@x.example, url: "https://contact.example/CONTACT-URL" }
  license: { name: LICENSE-NAME, identifier: LICENSE-IDENTIFIER }
  termsOfService: "https://terms.example/TERMS-URL"
externalDocs: { url: "https://docs.example/ROOT-DOCS", description: ROOT-DOCS-TEXT }
servers:
  - url: https://{region}.x.example
    description: SERVER-DESCRIPTION
    variables: { region: { default: eu, enum: [eu, VARIABLE-CHOICE], description: VARIABLE-DESCRIPTION } }
  - { url: "https://SECOND-SERVER.example" }
tags:
  - { name: Pets, description: "TAG-DESCRIPTION **bold**", externalDocs: { url: "https://docs.example/TAG-DOCS", description: TAG-DOCS-TEXT } }
security: [{ o: [write] }]
paths:
  /pets:
    summary: PATH-SUMMARY
    description: PATH-DESCRIPTION
    post:
      tags: [Pets]
      summary: Add pet
      description: OPERATION-DESCRIPTION
      operationId: addPet
      externalDocs: { url: "https://docs.example/OPERATION-DOCS", description: OPERATION-DOCS-TEXT }
      security: [{ o: [write] }, { id: [] }, { token: [] }]
      parameters:
        - name: q
          in: query
          description: PARAMETER-DESCRIPTION
          schema: { type: string, example: SCHEMA-EXAMPLE }
          examples:
            a: { summary: PARAMETER-EXAMPLE-A, value: PARAMETER-VALUE-A }
            b: { summary: PARAMETER-EXAMPLE-B, description: PARAMETER-EXAMPLE-TEXT, value: PARAMETER-VALUE-B }
        - { name: X-Trace, in: header, example: PARAMETER-OWN-EXAMPLE, schema: { type: string } }
        - { name: many, in: query, schema: { type: string, examples: [MANY-1, MANY-2] } }
      requestBody:
        description: BODY-DESCRIPTION
        content:
          application/json:
            schema: { $ref: "#/components/schemas/Pet" }
            examples:
              e1: { summary: BODY-EXAMPLE-1, value: { name: BODY-VALUE-1 } }
              e2: { summary: BODY-EXAMPLE-2, description: BODY-EXAMPLE-TEXT, value: { name: BODY-VALUE-2 } }
              e3: { summary: BODY-EXAMPLE-3, externalValue: "https://x.example/BODY-EXTERNAL" }
          application/xml: { schema: { type: string }, example: "<pet>XML-VALUE</pet>" }
          multipart/form-data:
            schema: { type: object, properties: { f: { type: string, description: FORM-DESCRIPTION } } }
            encoding: { f: { contentType: image/FORM-MEDIA, style: pipeDelimited } }
      responses:
        "200":
          description: RESPONSE-DESCRIPTION
          links: { next: { operationId: LINKED-OPERATION, description: LINK-DESCRIPTION, parameters: { id: "$response.body#/LINK-PARAMETER" } } }
          headers: { X-Next: { description: HEADER-DESCRIPTION, schema: { type: string }, example: HEADER-EXAMPLE } }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Pet" }
              examples:
                r1: { summary: RESPONSE-EXAMPLE-1, value: { name: RESPONSE-VALUE-1 } }
                r2: { $ref: "#/components/examples/Second" }
components:
  examples: { Second: { summary: RESPONSE-EXAMPLE-2, description: RESPONSE-EXAMPLE-TEXT, value: { name: RESPONSE-VALUE-2 } } }
  securitySchemes:
    o:
      type: oauth2
      description: OAUTH-DESCRIPTION
      flows:
        clientCredentials: { tokenUrl: "https://TOKEN-URL.example", scopes: { write: SCOPE-DESCRIPTION } }
        authorizationCode: { authorizationUrl: "https://AUTHORIZATION-URL.example", tokenUrl: "https://x.example/CODE-URL", refreshUrl: "https://x.example/REFRESH-URL", scopes: {} }
    id: { type: openIdConnect, openIdConnectUrl: "https://x.example/DISCOVERY-URL" }
    token: { type: http, scheme: bearer, bearerFormat: BEARER-FORMAT }
  schemas:
    Pet:
      type: object
      title: SCHEMA-TITLE
      description: SCHEMA-DESCRIPTION
      externalDocs: { url: "https://docs.example/SCHEMA-DOCS", description: SCHEMA-DOCS-TEXT }
      example: { name: OVERRIDDEN-EXAMPLE }
      properties:
        name: { type: string, title: FIELD-TITLE, description: FIELD-DESCRIPTION, example: FIELD-EXAMPLE, format: FIELD-FORMAT }
        tags: { type: array, items: { type: string }, example: [LIST-EXAMPLE] }
        place: { type: array, prefixItems: [{ type: string, description: TUPLE-FIRST }, { type: number, description: TUPLE-SECOND }] }
        kind:
          oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]
          discriminator: { propertyName: DISCRIMINATOR-NAME, mapping: { MAPPED-VALUE: "#/components/schemas/Cat" } }
        odd: { type: string, xml: { name: XML-NAME }, not: { const: FORBIDDEN-VALUE } }
    Cat: { type: object, title: CAT-TITLE, description: CAT-DESCRIPTION, properties: { c: { type: string, description: CAT-FIELD } } }
    Dog: { type: object, description: DOG-DESCRIPTION, properties: { d: { type: string, description: DOG-FIELD } } }
`;

let site: TestSite;

beforeAll(async () => {
  site = await createTestSite({
    "docs.json": JSON.stringify({
      name: "Shop",
      navigation: { groups: [{ group: "API", openapi: { source: "shop.yaml", directory: "api" } }] },
    }),
    "shop.yaml": SHOP_YAML,
  });
});
afterAll(() => site[Symbol.asyncDispose]());

const text = async (path: string) => (await site.request(path)).text();
const contentOf = (html: string) => html.slice(html.indexOf("<main"), html.indexOf("</main>"));
const FACTS = [...new Set(SHOP_YAML.match(/\b[A-Z]{2,}(?:-[A-Z0-9]+)+\b/g))];

it.each([
  ["HTML", ["/api", "/api/pets/add-pet"], contentOf],
  ["Markdown", ["/api.md", "/api/pets/add-pet.md"], (markdown: string) => markdown],
] as const)("every fact of a description is in the %s of its pages", async (_, addresses, shownOf) => {
  const shown = (await Promise.all(addresses.map(text))).map(shownOf).join("\n").toUpperCase();
  expect(FACTS.filter((fact) => !shown.includes(fact))).toEqual([]);
});
