import { expect, it } from "vitest";
import { createTestApp } from "#testing/test-app.ts";

it("rejects a key anywhere in the query, but not a word that only starts like one", async () => {
  await using app = await createTestApp("sqlite");
  const project = `../project/${app.project.id}`;
  const encoded = encodeURIComponent(app.key);
  for (const query of [
    `x=${encoded}`,
    `x=%20${encoded}`,
    `x=Bearer%20${encoded}`,
    `${encoded}=1`,
    `%64${encoded.slice(1)}`,
    "access_token=1",
  ]) {
    // oxfmt-ignore
    const answer = await app.open("GET", `?${query}`, { project });
    expect([query, answer.status]).toEqual([query, 400]);
    expect(await answer.text()).toContain("A key has no place in an address.");
  }
  const key = await app.instanceKey();
  const made = await app.open("POST", "", { project: "../projects", key, body: { name: "docent_handbook" } });
  const { id } = (await made.json()) as { id: string };
  expect((await app.open("DELETE", "?name=docent_handbook", { project: `../project/${id}`, key })).status).toBe(204);
});
