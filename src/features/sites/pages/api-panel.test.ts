import { expect, it } from "vitest";
import { wantAddresses } from "#features/sites/api-addresses/address-rows.ts";
import { readApiAccess } from "#features/sites/api-addresses/api-access.ts";
import { browse } from "#testing/browsing.ts";
import { createTestApp } from "#testing/test-app.ts";

it("edits the hosts of API descriptions, shows their addresses, and fetches them on request", async () => {
  await using app = await createTestApp("sqlite");
  const member = await browse(app, app.key);
  await member.get("/harbor-docs/site");
  const saved = await member.post("/harbor-docs/site/api-hosts", { hosts: "API.Example.com\r\n *.example.net, \r\n" });
  expect(saved.location).toBe("/harbor-docs/site?done=api-hosts");
  expect((await readApiAccess(app, app.project)).hosts).toEqual(["api.example.com", "*.example.net"]);

  const addresses = ['https://api.example.com/"><b>openapi.json'].map((address) => new URL(address).href);
  await wantAddresses(app, app.project.id, { addresses, isLive: true, isNewCommit: true });
  const page = await member.get("/harbor-docs/site");
  expect(page.text).toContain("api.example.com *.example.net</textarea>");
  expect(page.text).toContain("<b>https://api.example.com/%22%3E%3Cb%3Eopenapi.json</b>");
  expect(page.text).toContain("not read yet");
  expect((await member.post("/harbor-docs/site/api-read", {})).location).toBe("/harbor-docs/site?done=api-read");

  await member.post("/harbor-docs/site/api-hosts", { hosts: "api.example.com", proxy: "yes" });
  expect(await readApiAccess(app, app.project)).toMatchObject({ hosts: ["api.example.com"], proxy: true });
  expect((await member.get("/harbor-docs/site")).text).toContain('name="proxy" value="yes" checked');

  const refused = await member.post("/harbor-docs/site/api-hosts", { hosts: "https://api.example.com/" });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("is no host such as")]);
  await member.get("/harbor-docs/site");
  await member.post("/harbor-docs/site/api-hosts", { hosts: "" });
  expect(await readApiAccess(app, app.project)).toEqual({ hosts: [], proxy: false, addresses: [] });
});
