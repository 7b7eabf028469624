import { expect, it } from "vitest";
import { choosePlace, findInstanceLogin, findLogin } from "./place.ts";

const ENVIRONMENT = { folder: "/nonexistent", loginsFile: "/nonexistent/logins.json", hasDataDirectory: false, server: "https://docs.example.com/", project: null, key: "docent_1" }; // oxfmt-ignore

it("sends the key of the environment only to the server that the environment names", () => {
  const at = (server: string | undefined, environment = ENVIRONMENT) => {
    const place = choosePlace({ server }, environment);
    if (place.kind !== "server") throw new Error("no server");
    return findInstanceLogin(place);
  };
  const meant = { server: "https://docs.example.com", key: "docent_1" };
  for (const same of [undefined, "https://docs.example.com", "docs.example.com/"])
    expect(at(same)).toMatchObject(meant);
  for (const other of ["https://evil.example", "http://docs.example.com", "https://docs.example.com:8443", "https://docs.example.com/docs"])
    expect(() => at(other)).toThrow("DOCENT_API_KEY is only sent to DOCENT_SERVER, https://docs.example.com"); // oxfmt-ignore
  // Without DOCENT_SERVER, the key is for the server on the command line.
  const alone = { ...ENVIRONMENT, server: null as unknown as string };
  expect(at("https://evil.example", alone)).toMatchObject({ server: "https://evil.example", key: "docent_1" });
});

it("uses the named server, even if the newest login is at another one", () => {
  const newest = { server: "https://docs.example.com", project: null, name: null, key: "docent_1" };
  const named = { ...newest, server: "https://other.example.com", key: "docent_2" };
  const place = { kind: "server" as const, server: named.server, project: null, logins: [newest, named] };
  expect(findInstanceLogin(place)).toEqual(named);
});

it("requires a project if the key is for all of them", async () => {
  const server = "https://docs.example.com";
  const place = { kind: "server" as const, server, project: null, logins: [{ server, project: null, name: null, key: "docent_1" }] }; // oxfmt-ignore
  const { signal } = new AbortController();
  const listener = { signal, say: () => {}, reassure: () => {}, progress: () => {} };
  await expect(findLogin(place, null, listener)).rejects.toThrow("is for all of its projects: name one with --project");
  await expect(findLogin({ ...place, logins: [] }, null, listener)).rejects.toThrow("There is no key for any project");
});
