import { expect, it } from "vitest";
import { serverAddress } from "./logins.ts";

it.each([
  ["localhost:4000", "http://localhost:4000"],
  ["127.0.0.1:4000/docs/", "http://127.0.0.1:4000/docs"],
  ["[::1]:4000", "http://[::1]:4000"],
  ["docs.example.com", "https://docs.example.com"],
  ["localhost.evil.example", "https://localhost.evil.example"],
  ["localhost-docs.example.com", "https://localhost-docs.example.com"],
  ["127.example.com", "https://127.example.com"],
  ["127.0.0.1.example.com", "https://127.0.0.1.example.com"],
  ["http://docs.example.com", "http://docs.example.com"],
])("the server %s is at %s", (given, address) => expect(serverAddress(given)).toBe(address));

it.each(["localhost@evil.example", "ftp://localhost", "https://a.example?x", ""])("%j is not a server URL", (given) =>
  expect(() => serverAddress(given)).toThrow("is not a server address"),
);
