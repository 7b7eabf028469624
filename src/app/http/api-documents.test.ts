import { expect, it } from "vitest";
import type { ServedDocument } from "#features/sites/reference/guides.ts";
import { createApiDocuments } from "./api-documents.ts";
import { createRouter } from "#kit/http/router.ts";
import { createTestApp } from "#testing/test-app.ts";

it("generates the API document once, and again only after the server's address changes", async () => {
  const api = createRouter();
  let made = 0;
  const describe = api.getOpenAPI31Document.bind(api);
  api.getOpenAPI31Document = (...given) => {
    made++;
    return describe(...given);
  };
  const address = { baseUrl: "http://localhost:4000" };
  const shown: ServedDocument[] = [];
  const documents = createApiDocuments(api, {
    version: "0",
    baseUrl: () => address.baseUrl,
    async reference(_request, _peer, document) {
      shown.push(document);
      return { status: 200, headers: {}, body: document.json };
    },
  });
  const app = createRouter();
  app.get("/openapi.json", (c) => documents.openApi(c));
  app.get("/reference", (c) => documents.reference(c));
  const env = { peerAddress: "127.0.0.1" };
  const ask = () =>
    Promise.all(["/openapi.json", "/reference"].map(async (at) => (await app.request(at, {}, env)).text()));
  const answers = [await ask(), await ask(), await ask()].flat();
  expect(made).toBe(1);
  expect(new Set(answers).size).toBe(1);
  address.baseUrl = "https://docs.example.com";
  const [json] = await ask();
  expect(made).toBe(2);
  expect(json).toContain("https://docs.example.com");
  expect(new Set(shown.map(({ etag }) => etag)).size).toBe(2);
});

it("are not sent again to a client that has them cached", async () => {
  await using app = await createTestApp("sqlite");
  for (const path of ["/openapi.json", "/reference"]) {
    const etag = (await app.openPath(path)).headers.get("etag")!;
    const again = (given: string) =>
      app.app.fetch(new Request(`http://localhost:4000${path}`, { headers: { "if-none-match": given } }), {
        peerAddress: "127.0.0.1",
      });
    const same = await again(`"other", W/${etag.replace("W/", "")}`);
    expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", etag]);
    expect((await again('"other"')).status).toBe(200);
  }
});
