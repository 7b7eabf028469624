import { expect, it } from "vitest";
import { findLogin } from "./place.ts";

it("asks for a project where the key is for all of them", async () => {
  const server = "https://docs.example.com";
  const place = { kind: "server" as const, server, project: null, logins: [{ server, project: null, name: null, key: "docent_1" }] }; // oxfmt-ignore
  const { signal } = new AbortController();
  await expect(findLogin(place, null, signal)).rejects.toThrow("is for all of its projects: say which with --project");
  await expect(findLogin({ ...place, logins: [] }, null, signal)).rejects.toThrow("There is no key for any project");
});
