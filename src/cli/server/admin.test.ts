import { expect, it } from "vitest";
import { systemClock } from "#lib/clock.ts";
import { makePerson, PASSWORD } from "#testing/people.ts";
import { runDocent } from "#test/support/commands.ts";
import { createTestInstance } from "#test/support/instance.ts";
import { serveInstance } from "#test/support/server.ts";

it("prints a link at which an owner who lost the password sets a new one", async () => {
  await using instance = await createTestInstance("sqlite", { "index.md": "# Start\n" });
  const owner = await makePerson({ ...instance, clock: systemClock }, { isOwner: true });
  await using server = await serveInstance(instance);
  const link = async (email: string) => runDocent(["admin", "--reset-password", email, "--data", instance.data]);
  expect((await link("eve@example.com")).stderr).toContain("There is no account with the address eve@example.com");
  const url = new URL((await link(owner.email)).stdout.trim());
  expect(url.origin).toBe(server.baseUrl);
  expect((await fetch(url)).status).toBe(200);
  const post = (path: string, fields: Record<string, string>) =>
    fetch(new URL(path, server.baseUrl), {
      method: "POST",
      headers: { origin: server.baseUrl },
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
  const password = "another horse battery";
  expect((await post("/-/reset", { token: url.searchParams.get("token")!, password })).status).toBe(303);
  expect((await post("/sign-in", { email: owner.email, password: PASSWORD })).status).toBe(401);
  expect((await post("/sign-in", { email: owner.email, password })).status).toBe(303);
});
