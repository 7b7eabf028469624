import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
      tags: [Pets, SECOND-TAG]
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
        both: { allOf: [{ properties: { b: { type: string, description: BASE-FIELD } } }, { properties: { b: { enum: [MERGED-CHOICE] } } }] }
        groups: { allOf: [{ oneOf: [{ title: FIRST-GROUP }, {}] }, { oneOf: [{ title: SECOND-GROUP }, {}] }], anyOf: [{ pattern: THIRD-GROUP }, { required: [VARIANT-FIELD] }] }
        odd: { type: string, xml: { name: XML-NAME }, not: { const: FORBIDDEN-VALUE } }
    Cat: { type: object, title: CAT-TITLE, description: CAT-DESCRIPTION, properties: { c: { type: string, description: CAT-FIELD } } }
    Dog: { type: object, description: DOG-DESCRIPTION, properties: { d: { type: string, description: DOG-FIELD } } }
`;

const CHAT_YAML = `asyncapi: 3.0.0
info:
  title: Chat
  version: "1"
  description: INFO-DESCRIPTION
  contact: { name: CONTACT-NAME }
  license: { name: LICENSE-NAME }
  tags: [{ name: Rooms, description: TAG-DESCRIPTION, externalDocs: { url: "https://docs.example/TAG-DOCS" } }]
  externalDocs: { url: "https://docs.example/ROOT-DOCS" }
servers:
  live:
    host: "{region}.chat.example"
    protocol: mqtt
    protocolVersion: PROTOCOL-VERSION
    title: SERVER-TITLE
    summary: SERVER-SUMMARY
    description: SERVER-DESCRIPTION
    externalDocs: { url: "https://docs.example/SERVER-DOCS" }
    variables: { region: { default: eu, enum: [eu, VARIABLE-CHOICE], description: VARIABLE-DESCRIPTION } }
    bindings: { mqtt: { clientId: SERVER-BINDING } }
    security: [{ $ref: "#/components/securitySchemes/o" }]
channels:
  room:
    address: /rooms/{roomId}
    title: Room
    summary: CHANNEL-SUMMARY
    description: CHANNEL-DESCRIPTION
    externalDocs: { url: "https://docs.example/CHANNEL-DOCS" }
    tags: [{ name: Rooms }]
    parameters:
      roomId: { description: PARAMETER-DESCRIPTION, enum: [PARAMETER-CHOICE], default: PARAMETER-DEFAULT, examples: [PARAMETER-EXAMPLE-1, PARAMETER-EXAMPLE-2], location: "$message.payload#/PARAMETER-LOCATION" }
    bindings: { mqtt: { topic: CHANNEL-BINDING } }
    messages: { said: { $ref: "#/components/messages/said" } }
operations:
  hear:
    action: send
    title: OPERATION-TITLE
    summary: OPERATION-SUMMARY
    description: OPERATION-DESCRIPTION
    externalDocs: { url: "https://docs.example/OPERATION-DOCS" }
    channel: { $ref: "#/channels/room" }
    messages: [{ $ref: "#/channels/room/messages/said" }]
    bindings: { mqtt: { qos: OPERATION-BINDING } }
    reply: { messages: [{ $ref: "#/channels/room/messages/said" }], address: { location: "$message.header#/REPLY-LOCATION", description: REPLY-DESCRIPTION } }
components:
  messages:
    said:
      name: MESSAGE-NAME
      title: MESSAGE-TITLE
      summary: MESSAGE-SUMMARY
      description: MESSAGE-DESCRIPTION
      contentType: application/MESSAGE-TYPE
      externalDocs: { url: "https://docs.example/MESSAGE-DOCS" }
      correlationId: { location: "$message.header#/CORRELATION-LOCATION", description: CORRELATION-DESCRIPTION }
      bindings: { mqtt: { contentType: MESSAGE-BINDING } }
      headers: { type: object, properties: { trace: { type: string, description: HEADER-DESCRIPTION } } }
      payload: { type: object, title: PAYLOAD-TITLE, properties: { text: { type: string, description: FIELD-DESCRIPTION } } }
      examples:
        - { name: MESSAGE-EXAMPLE-1, payload: { text: EXAMPLE-VALUE-1 } }
        - { summary: MESSAGE-EXAMPLE-2, payload: { text: EXAMPLE-VALUE-2 }, headers: { trace: EXAMPLE-HEADER } }
  securitySchemes:
    o:
      type: oauth2
      description: OAUTH-DESCRIPTION
      scopes: [write]
      flows: { clientCredentials: { tokenUrl: "https://TOKEN-URL.example", availableScopes: { write: SCOPE-DESCRIPTION } } }
`;

let site: TestSite;

beforeAll(async () => {
  const sections = [
    { group: "API", openapi: { source: "shop.yaml", directory: "api" } },
    { group: "Chat", asyncapi: { source: "chat.yaml", directory: "chat" } },
  ];
  site = await createTestSite({
    "docs.json": JSON.stringify({ name: "Shop", navigation: { groups: sections } }),
    "shop.yaml": SHOP_YAML,
    "chat.yaml": CHAT_YAML,
  });
});
afterAll(() => site[Symbol.asyncDispose]());

const factsOf = (description: string) => [...new Set(description.match(/\b[A-Z]{2,}(?:-[A-Z0-9]+)+\b/g))];
const shownOf = (page: string) => {
  const start = page.indexOf("<main");
  return (start === -1 ? page : page.slice(start, page.indexOf("</main>"))).toUpperCase();
};

describe.each([
  ["OpenAPI", SHOP_YAML, ["/api", "/api/pets/add-pet"]],
  ["AsyncAPI", CHAT_YAML, ["/chat", "/chat/rooms/room"]],
])("every fact of a description of %s", (_, description, addresses) => {
  it.each([
    ["HTML", ""],
    ["Markdown", ".md"],
  ])("is in the %s of its pages", async (_form, ending) => {
    const pages = await Promise.all(addresses.map(async (path) => (await site.request(path + ending)).text()));
    const shown = pages.map(shownOf).join("\n");
    expect(factsOf(description).filter((fact) => !shown.includes(fact))).toEqual([]);
  });
});
