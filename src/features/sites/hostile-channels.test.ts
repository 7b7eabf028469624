import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { dangersIn, MARKUP_VECTORS } from "#testing/page-dangers.ts";
import { openedOnce } from "#testing/opened-once.ts";
import { createTestSite } from "#testing/site.ts";

let contentProcess: ContentProcess;

beforeAll(() => {
  contentProcess = sharedContent();
});
afterAll(() => contentProcess[Symbol.asyncDispose]());

/** A site with a tab for each AsyncAPI document `live….json`, below the name of its file, and the text of its pages. */
async function siteOf(files: Record<string, string>) {
  const config = {
    navigation: {
      tabs: [
        { tab: "Guides", groups: [{ group: "A", pages: ["index"] }] },
        ...Object.keys(files)
          .filter((file) => file.startsWith("live"))
          .map((file) => ({ tab: file, asyncapi: { source: file, directory: file.replace(".json", "") } })),
      ],
    },
  };
  const site = await createTestSite(
    { "docs.json": JSON.stringify(config), "index.md": "# Home\n", ...files },
    { contentProcess, search: { admits: () => true } },
  );
  const page = async (path: string) => {
    const response = await site.request(path);
    return { status: response.status, text: await response.text() };
  };
  return { page, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
}

/** One site with a document for each case; the tests ask for the pages of their own. */
const sharedSite = (files: () => Record<string, string>) => openedOnce(() => siteOf(files()));

const three = (more: object) => JSON.stringify({ asyncapi: "3.0.0", info: { title: "Live", version: "1" }, ...more });
const ROOM = "/live/channels/room";

describe("a value of a wrong type", () => {
  const odd = [null, 7, true, "text", [], [[]], ["x"], {}, { a: null }, { a: [7] }];
  const places: [place: string, make: (value: unknown) => object][] = [
    ["info", (info) => ({ info })],
    ["servers", (servers) => ({ servers })],
    ["a server", (server) => ({ servers: { live: server } })],
    [
      "parts of a server",
      (each) => ({
        servers: { live: { host: each, url: each, protocol: each, pathname: each, variables: each, security: each } },
      }),
    ],
    ["channels", (channels) => ({ channels })],
    ["a channel", (room) => ({ channels: { room } })],
    [
      "parts of a channel",
      (each) => ({
        channels: {
          room: {
            address: each,
            title: each,
            tags: each,
            servers: each,
            parameters: each,
            bindings: each,
            messages: each,
            subscribe: each,
            publish: each,
            "x-mint": each,
          },
        },
      }),
    ],
    ["a message", (said) => ({ channels: { room: { messages: { said } } } })],
    [
      "parts of a message",
      (each) => ({
        channels: {
          room: {
            messages: {
              said: {
                name: each,
                headers: each,
                payload: each,
                examples: each,
                traits: each,
                schemaFormat: each,
                contentType: each,
              },
            },
          },
        },
      }),
    ],
    ["operations", (operations) => ({ operations, channels: { room: {} } })],
    ["an operation", (hear) => ({ operations: { hear }, channels: { room: {} } })],
    [
      "parts of an operation",
      (each) => ({
        channels: { room: {} },
        operations: {
          hear: {
            action: "send",
            channel: { $ref: "#/channels/room" },
            messages: each,
            reply: each,
            traits: each,
            security: each,
            bindings: each,
          },
        },
      }),
    ],
    [
      "a reply",
      (reply) => ({
        channels: { room: {} },
        operations: { hear: { action: "send", channel: { $ref: "#/channels/room" }, reply } },
      }),
    ],
    [
      "components",
      (components) => ({
        components,
        channels: { room: { publish: { message: { $ref: "#/components/messages/a" } } } },
      }),
    ],
  ];

  // Each value is tried in a third of the places; the long form tries all combinations.
  const triedAt = (place: string) => {
    const at = places.findIndex(([name]) => name === place);
    return [...odd.entries()].filter(([index]) => LONG_TESTS || (index + at) % 3 === 0);
  };
  const nameOf = (place: string, index: number) => `live-${place.replaceAll(" ", "-")}-${index}`;
  const site = sharedSite(() =>
    Object.fromEntries(
      places.flatMap(([place, make]) =>
        triedAt(place).map(([index, value]) => [
          `${nameOf(place, index)}.json`,
          three({ channels: { room: {} }, ...make(value) }),
        ]),
      ),
    ),
  );

  it("affects no other page", async () => {
    expect((await site().page("/")).status).toBe(200);
  });

  it.each(places)("in place of %s leaves its pages whole, or without a page", async (place) => {
    for (const [index, value] of triedAt(place)) {
      const shown = JSON.stringify(value);
      const room = `/${nameOf(place, index)}/channels/room`;
      const [html, markdown] = [await site().page(room), await site().page(`${room}.md`)];
      expect(`${shown} ${html.status} ${markdown.status}`).toMatch(/ 200 200$| 404 404$/);
      expect(html.text + markdown.text).not.toContain("[object Object]");
      expect(html.text).not.toContain(">undefined<");
    }
  });
});

describe("references", () => {
  const forbidden = [
    "file:///etc/passwd",
    "/etc/passwd",
    "../../../etc/passwd",
    "https://127.0.0.1:1/x.json",
    "//evil.example/x",
    ".env",
    "#/nowhere",
    "#",
  ];
  const documentWith = ($ref: object) =>
    three({
      servers: { live: { host: "a.example", protocol: "wss", security: [$ref] }, other: $ref },
      channels: {
        room: {
          title: "Room",
          parameters: { far: $ref },
          bindings: $ref,
          messages: {
            far: $ref,
            said: { headers: $ref, payload: { type: "object", properties: { a: $ref, b: { type: "string" } } } },
          },
        },
      },
      operations: {
        far: $ref,
        hear: { action: "send", channel: { $ref: "#/channels/room" }, reply: $ref, traits: [$ref] },
      },
    });
  const site = sharedSite(() => ({
    ".env": "SECRET=1",
    ...Object.fromEntries(forbidden.map(($ref, index) => [`live${index}.json`, documentWith({ $ref })])),
  }));

  it.each(forbidden)("to %s are not followed, and the page still works", async (reference) => {
    const address = `/live${forbidden.indexOf(reference)}/websockets/room`;
    const page = await site().page(address);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<code class="field-name">b</code>');
    expect(page.text + (await site().page(`${address}.md`)).text).not.toMatch(/SECRET|root:/);
  });

  it("in cycles through channels, messages, traits, replies, schemas and files end", async () => {
    const to = (path: string) => ({ $ref: `#/${path}` });
    await using site = await siteOf({
      "live.json": three({
        servers: { a: to("servers/b"), b: to("servers/a") },
        channels: {
          room: { messages: { said: to("components/messages/A") } },
          around: to("channels/again"),
          again: to("channels/around"),
          lobby: to("channels/room"),
        },
        operations: {
          hear: {
            action: "send",
            channel: to("channels/room"),
            reply: { channel: to("channels/room") },
            traits: [to("operations/hear")],
          },
          turn: to("operations/turn"),
        },
        components: {
          messages: {
            A: { traits: [to("components/messages/A")], payload: to("components/schemas/S") },
            B: { oneOf: [to("components/messages/B")] },
          },
          schemas: {
            S: { type: "object", properties: { self: to("components/schemas/S"), far: { $ref: "other.json#/T" } } },
            U: to("components/schemas/U"),
          },
        },
      }),
      "other.json": JSON.stringify({
        T: { type: "object", properties: { back: { $ref: "live.json#/components/schemas/S" } } },
      }),
    });
    const page = await site.page(ROOM);
    expect(page.text).toContain('<code class="field-name">back</code>');
    expect(page.text).toContain("The same again: S.");
    expect((await site.page("/live/channels/around")).status).toBe(404);
    expect((await site.page("/live/channels/lobby")).status).toBe(200);
  });
});

describe("size", () => {
  it("of 5,000 channels is pages, each reachable, and one first page", async () => {
    const channels = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, n) => [
        `topic-${n}`,
        { title: "Same name", messages: { said: { payload: { type: "string" } } } },
      ]),
    );
    await using site = await siteOf({ "live.json": three({ channels }) });
    expect((await site.page("/live/channels/same-name")).text).toContain('<span class="api-path">topic-0</span>');
    expect((await site.page("/live/channels/same-name-4999")).text).toContain(
      '<span class="api-path">topic-4999</span>',
    );
    expect((await site.page("/live")).text).toContain('href="/live/channels/same-name-4999"');
    expect((await site.page("/llms.txt")).text).toContain("/live/channels/same-name-4999.md");
  });

  it("of 10 MB is read", async () => {
    const description = "Long words. ".repeat(850_000);
    await using site = await siteOf({ "live.json": three({ channels: { room: { title: "Room", description } } }) });
    const page = await site.page(ROOM);
    expect(page.status).toBe(200);
    expect(page.text.length).toBeLessThan(500_000);
  });

  it.runIf(LONG_TESTS)("of 20 MB loses its own pages", async () => {
    await using site = await siteOf({
      "live.json": three({ channels: { room: { description: "x".repeat(20_000_000) } } }),
    });
    expect((await site.page("/")).status).toBe(200);
    expect((await site.page(ROOM)).status).toBe(404);
  });

  it("of messages that all channels share is counted once", async () => {
    const messages = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`m${n}`, { $ref: "#/nowhere" }]));
    const servers = Array.from({ length: 20_000 }, () => ({ $ref: "#/servers/live" }));
    const channels = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, n) => [`c${n}`, { $ref: "#/components/channels/all" }]),
    );
    await using site = await siteOf({
      "live.json": three({
        servers: { live: { host: "a.example", protocol: "mqtt" } },
        channels,
        components: { messages, channels: { all: { servers, messages: { $ref: "#/components/messages" } } } },
      }),
    });
    expect((await site.page("/")).status).toBe(200);
    expect((await site.page("/live/channels/c2999")).status).toBe(200);
  });

  it("of a payload that grows with each level is one page", async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 30 }, (_, level) => [
        `L${level}`,
        {
          type: "object",
          properties: Object.fromEntries(
            Array.from({ length: 10 }, (_unused, n) => [`f${n}`, { $ref: `#/components/schemas/L${level + 1}` }]),
          ),
        },
      ]),
    );
    const messages = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [`m${n}`, { payload: { $ref: "#/components/schemas/L0" } }]),
    );
    await using site = await siteOf({
      "live.json": three({ channels: { room: { messages } }, components: { schemas } }),
    });
    const page = await site.page(ROOM);
    expect(page.status).toBe(200);
    expect(page.text.length).toBeLessThan(4_000_000);
    expect((await site.page(`${ROOM}.md`)).text.length).toBeLessThan(500_000);
  });
});

describe("markup in every string", () => {
  const documentWith = (vector: string, href: string) => {
    const schema = {
      title: vector,
      description: vector,
      type: "object",
      format: vector,
      enum: [vector],
      default: vector,
      pattern: vector,
      properties: { [vector]: { type: vector, description: vector, oneOf: [{ title: vector, const: vector }] } },
    };
    const message = {
      name: vector,
      title: vector,
      summary: vector,
      description: vector,
      contentType: vector,
      headers: schema,
      payload: schema,
      examples: [{ name: vector, summary: vector, payload: { [vector]: vector } }],
    };
    const foreign = {
      ...message,
      name: `f ${vector}`,
      payload: { schemaFormat: vector, schema: { [vector]: vector } },
    };
    const security = [{ type: "httpApiKey", in: "query", name: vector, description: vector, scopes: [vector] }];
    return JSON.stringify({
      asyncapi: "3.0.0",
      info: { title: vector, version: vector, description: vector },
      defaultContentType: vector,
      servers: { [vector]: { host: vector, pathname: vector, protocol: vector, description: vector, security } },
      channels: {
        [vector]: {
          address: `{${vector}}`,
          title: `Room ${vector}`,
          summary: vector,
          description: vector,
          tags: [{ name: vector }],
          "x-mint": { href },
          parameters: { [vector]: { description: vector, enum: [vector], default: vector, examples: [vector] } },
          bindings: { [vector]: { [vector]: vector } },
          messages: { [vector]: message, foreign },
        },
      },
      operations: {
        [vector]: {
          action: "send",
          title: vector,
          description: vector,
          channel: { $ref: `#/channels/${encodeURIComponent(vector.replaceAll("~", "~0").replaceAll("/", "~1"))}` },
          security,
          bindings: { [vector]: { [vector]: vector } },
          reply: { address: { location: vector }, messages: [message] },
        },
      },
    });
  };
  const site = sharedSite(() =>
    Object.fromEntries(
      MARKUP_VECTORS.map((vector, index) => [`live${index}.json`, documentWith(vector, `/evil${index}`)]),
    ),
  );

  it.each(MARKUP_VECTORS)("%s stays text on the page of the channel and the first page", async (vector) => {
    const index = MARKUP_VECTORS.indexOf(vector);
    const channel = await site().page(`/evil${index}`);
    expect(channel.status).toBe(200);
    expect(channel.text).toContain("The application sends these messages.");
    const first = await site().page(`/live${index}`);
    expect(first.status).toBe(200);
    expect([...dangersIn(channel.text), ...dangersIn(first.text)]).toEqual([]);
  });
});

describe("Markdown", () => {
  it("escapes names and addresses, whatever they contain", async () => {
    await using site = await siteOf({
      "live.json": three({
        servers: { "a\n## Not a heading": { host: "a`b.example\n# Nor this", protocol: "mqtt" } },
        channels: {
          room: {
            address: "rooms/`x`\n\n# Ignore what came before",
            title: "Room",
            messages: {
              "said\n\n# Nor a message": { payload: { type: "object", properties: { "a\n\n# Nor a field": {} } } },
            },
          },
        },
      }),
    });
    const { text } = await site.page(`${ROOM}.md`);
    expect(text.match(/^#+ .*/gm)).toEqual([
      "# Room",
      "## Servers",
      "## Messages",
      expect.stringMatching(/^#### Message/),
    ]);
  });
});
