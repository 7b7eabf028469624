import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestSite, type TestSite } from "#testing/site.ts";

const CHAT_YAML = `asyncapi: 3.0.0
info: { title: Chat, version: "3", description: Talk **live**. }
defaultContentType: application/json
servers:
  live:
    host: "{region}.chat.example"
    pathname: /v1
    protocol: wss
    variables: { region: { default: eu } }
    security: [{ $ref: "#/components/securitySchemes/key" }]
  spare: { host: spare.chat.example, protocol: wss }
channels:
  room:
    address: /rooms/{roomId}
    servers: [{ $ref: "#/servers/live" }]
    title: Room
    description: One **room**.
    parameters:
      roomId: { description: Which room., enum: [main, side] }
    bindings: { ws: { method: GET } }
    messages:
      said: { $ref: "./parts.yaml#/messages/Said" }
      typing: { payload: { type: object, properties: { who: { type: string } } } }
      unused: { description: Nobody sends this yet., payload: { type: string } }
  quiet: { address: /quiet, x-hidden: true }
  inner: { address: /inner, x-internal: true }
operations:
  hear:
    action: send
    summary: Hear what others say
    channel: { $ref: "#/channels/room" }
    messages: [{ $ref: "#/channels/room/messages/said" }]
  say:
    action: receive
    channel: { $ref: "#/channels/room" }
    summary: Say something
    traits: [{ description: From a trait., summary: Said by a trait alone }]
    messages: [{ $ref: "#/channels/room/messages/typing" }]
    reply: { messages: [{ $ref: "#/channels/room/messages/said" }], address: { location: "$message.header#/replyTo" } }
  astray:
    action: send
    channel: { $ref: "#/channels/nowhere" }
components:
  securitySchemes:
    key: { type: httpApiKey, in: query, name: api_key, description: From the dashboard. }
`;

const PARTS_YAML = `messages:
  Said:
    name: said
    title: Somebody said something
    headers: { type: object, properties: { trace: { type: string, format: uuid } } }
    payload: { $ref: "#/schemas/Line" }
    examples: [{ name: hello, payload: { text: "Hello, all" } }]
schemas:
  Line:
    type: object
    required: [text]
    properties:
      text: { type: string, maxLength: 500 }
      answers: { type: array, items: { $ref: "#/schemas/Line" } }
`;

const LAMPS_JSON = JSON.stringify({
  asyncapi: "2.6.0",
  info: { title: "Lamps", version: "1" },
  servers: { broker: { url: "mqtt.lamps.example:{port}", protocol: "mqtt", variables: { port: { default: "1883" } } } },
  channels: {
    "lamps/{id}/lit": {
      parameters: { id: { schema: { type: "integer" } } },
      publish: {
        operationId: "reportLight",
        summary: "Report the light",
        message: {
          oneOf: [
            { $ref: "#/components/messages/Lit" },
            {
              name: "raw",
              schemaFormat: "application/vnd.apache.avro;version=1.9.0",
              payload: { type: "record", name: "Raw" },
            },
          ],
        },
      },
    },
    "lamps/orders": { subscribe: { operationId: "obey", message: { $ref: "#/components/messages/Lit" } } },
  },
  components: {
    messages: {
      Lit: { name: "lit", payload: { type: "object", properties: { lumens: { type: "integer", minimum: 7 } } } },
    },
  },
});

let site: TestSite;

beforeAll(async () => {
  const files = {
    "docs.json": JSON.stringify({
      name: "Live",
      navigation: {
        tabs: [
          { tab: "Guides", groups: [{ group: "A", pages: ["index", "own"] }] },
          { tab: "Chat", asyncapi: "chat.yaml" },
          { tab: "Lamps", groups: [{ group: "MQTT", asyncapi: { source: "lamps.json", directory: "mqtt" } }] },
        ],
      },
    }),
    "index.md": "# Home\n",
    "own.md": '---\ntitle: Own words\nasyncapi: "/lamps.json lamps/orders"\n---\n\nFrom the **author**.\n',
    "chat.yaml": CHAT_YAML,
    "parts.yaml": PARTS_YAML,
    "lamps.json": LAMPS_JSON,
  };
  site = await createTestSite(files, { search: { admits: () => true } });
});
afterAll(() => site[Symbol.asyncDispose]());

async function html(path: string): Promise<string> {
  const response = await site.request(path);
  expect(`${path} ${response.status}`).toBe(`${path} 200`);
  return response.text();
}

describe("the page of a channel", () => {
  it("shows the address, servers, parameters, bindings and authorization", async () => {
    const page = await html("/api-reference/websockets/room");
    expect(page).toContain('<span class="api-method" data-method="wss">WSS</span>');
    expect(page).toContain('<span class="api-base">wss://eu.chat.example/v1</span>');
    expect(page).toContain('<span class="api-path">/rooms/<b>{roomId}</b></span>');
    expect(page).toContain('<p class="site-lead">One room.</p>');
    expect(page).toContain("<code>main</code> <code>side</code>");
    expect(page).toContain("From the dashboard.");
    expect(page).toContain('<code class="field-name">api_key</code>');
    expect(page).toContain('<h2 id="bindings">');
  });

  it("shows the direction, with headers, payloads and replies", async () => {
    const page = await html("/api-reference/websockets/room");
    const hear = page.slice(page.indexOf('<h3 id="hear">'), page.indexOf('<h3 id="say">'));
    expect(hear).toContain("The application sends these messages.");
    expect(hear).toContain("Somebody said something");
    expect(hear).toContain('<code class="field-name">text</code>');
    expect(hear).toContain('<code class="field-name">trace</code>');
    expect(hear).toContain("The same again: Line.");
    const say = page.slice(page.indexOf('<h3 id="say">'), page.indexOf('<h2 id="messages">'));
    expect(say).toContain("The application receives these messages.");
    expect(say).toContain("From a trait.");
    expect(say).toContain('<code class="field-name">who</code>');
    expect(say).toContain("<code>$message.header#/replyTo</code>");
    expect(page.slice(page.indexOf('<h2 id="messages">'))).toContain("Nobody sends this yet.");
    expect(page).toContain("Hello, all");
  });

  it("shows only the servers that the channel refers to", async () => {
    const page = await html("/api-reference/websockets/room");
    expect(page).toContain("wss://eu.chat.example/v1");
    expect(page).not.toContain("spare.chat.example");
  });

  it("prefers an operation's own fields to those of its traits", async () => {
    const page = await html("/api-reference/websockets/room");
    expect(page).toContain("Say something");
    expect(page).not.toContain("Said by a trait alone");
  });

  it("maps 2.x correctly: what readers publish, the application receives", async () => {
    const page = await html("/mqtt/channels/lamps-lit");
    expect(page).toContain('<span class="api-method" data-method="pub">PUB</span>');
    expect(page).toContain("The application receives these messages.");
    expect(page).toContain("mqtt://mqtt.lamps.example:1883");
    expect(page).toContain("minimum <code>7</code>");
    expect(page).toContain("application/vnd.apache.avro");
    expect(page).toContain("record");
  });

  it("is generated from the front matter below the author's words", async () => {
    const page = await html("/own");
    expect(page).toContain("<title>Own words · Live</title>");
    expect(page).toContain("From the <strong>author</strong>.");
    expect(page).toContain('<span class="api-method" data-method="sub">SUB</span>');
    expect(page).toContain("The application sends these messages.");
  });

  it("has the same facts as Markdown", async () => {
    const markdown = await html("/api-reference/websockets/room.md");
    expect(markdown).toContain("`WSS /rooms/{roomId}`");
    expect(markdown).toContain("- `wss://eu.chat.example/v1` (live, wss)");
    expect(markdown).toContain("### Hear what others say\n\nThe application sends these messages.");
    expect(markdown).toContain("- `text` (`string`, required): characters");
    expect(markdown).toContain('"text": "Hello, all"');
  });
});

it("lists channels with their badges, without hidden ones, and has a first page", async () => {
  const page = await html("/api-reference");
  expect(page).toContain('<span class="site-method" data-method="wss">WSS</span>');
  expect(page).toContain('<a href="/api-reference/websockets/room">Room</a>');
  expect(page).toContain("<code>wss://eu.chat.example/v1</code>");
  expect(page).not.toContain("/quiet");
  expect(await html("/llms.txt")).toContain("/api-reference/websockets/room.md");
  expect((await site.request("/api-reference/channels/inner")).status).toBe(404);
});

it("finds channels by their content, at its heading", async () => {
  const found = async (query: string): Promise<string[]> => {
    for (;;) {
      const response = await site.request(`/_docent/search?q=${query}`, { headers: { accept: "*/*" } });
      const answer = (await response.json()) as { indexing: boolean; results: { href: string }[] };
      if (!answer.indexing) return answer.results.map(({ href }) => href);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  expect(await found("somebody")).toContain("/api-reference/websockets/room#hear");
  expect(await found("lumens")).toContain("/mqtt/channels/lamps-lit#reportlight");
  expect(await found("chat")).toContain("/api-reference");
});
