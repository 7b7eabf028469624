import { expect, it } from "vitest";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { redirectsInFiles } from "./redirect-file.ts";
import { openRepository } from "./repository.ts";

it("reads redirects, and nothing that a host would serve from elsewhere", async () => {
  const text = [
    "# Old addresses",
    "/old /new",
    "/moved/*  /guides/:splat  308 # for good",
    "/today /news 302",
    "/api/* https://api.example/:splat 200",
    "/gone /404.html 404",
    "https://www.example/* /:splat 301!",
    "/alone",
  ].join("\n");
  const files = { "docs/_redirects": "/a /b 303\n", "docs/public/_redirects": text };
  const found = await redirectsInFiles(await openRepository(createTestSnapshot(files)), "docs", ["public"]);
  expect(found).toEqual({
    redirects: [
      { source: "/a", destination: "/b", permanent: false },
      { source: "/old", destination: "/new", permanent: true },
      { source: "/moved/*", destination: "/guides/*", permanent: true },
      { source: "/today", destination: "/news", permanent: false },
    ],
    file: "_redirects",
  });
});
