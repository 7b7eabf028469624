import { expect, it } from "vitest";
import { listSources } from "#hosts/sources/sources.ts";
import { browse } from "#testing/browsing.ts";
import { startSourceHost } from "#testing/hosts/source-host.ts";
import { createTestApp } from "#testing/test-app.ts";

const PAGE = "/harbor-docs/sources";

it("adds a source, replaces its token and removes it, and never shows a token", async () => {
  await using app = await createTestApp("sqlite");
  await using host = await startSourceHost({ "src/server.ts": "export const port = 4000;\n" });
  const admin = await browse(app, app.key);
  expect((await admin.get(PAGE)).text).toContain("None yet.");
  const form = { name: "api", url: host.server.url, token: host.token, host: "github", branch: "" };
  const refusals: [change: Record<string, string>, problem: string][] = [
    [{ name: "The API" }, "Name: must be 1 to 40 lower-case letters"],
    [{ url: "file:///etc" }, "Address: must be an https address"],
    [{ token: "wrong-token-0123" }, "refused the token"],
    [{ branch: "nowhere" }, "nowhere"],
  ];
  for (const [change, problem] of refusals) {
    const entered = { ...form, ...change };
    const answer = await admin.post(`${PAGE}/add`, entered);
    expect([problem, answer.status]).toEqual([problem, expect.toBeOneOf([400, 409])]);
    expect(answer.text).toContain(problem);
    expect(answer.text).toContain(`value="${entered.name}"`);
    expect(answer.text).not.toContain(entered.token);
  }
  expect((await admin.post(`${PAGE}/add`, form)).location).toBe(`${PAGE}?done=add`);
  const [source] = await listSources(app.database, app.project.id);
  const { text } = await admin.get(PAGE);
  expect(text).toContain(host.server.url);
  expect(text).not.toContain(host.token);

  const refused = await admin.post(`${PAGE}/${source!.id}/token`, { token: "wrong-token-0123" });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("refused the token")]);
  host.server.state.readers.add("another-reader-0123456789");
  const replaced = await admin.post(`${PAGE}/${source!.id}/token`, { token: "another-reader-0123456789" });
  expect(replaced.location).toBe(`${PAGE}?done=token`);
  expect((await admin.post(`${PAGE}/${source!.id}/remove`, {})).location).toBe(`${PAGE}?done=remove`);
  expect((await admin.post(`${PAGE}/${source!.id}/remove`, {})).status).toBe(409);
  expect(await listSources(app.database, app.project.id)).toEqual([]);
});
