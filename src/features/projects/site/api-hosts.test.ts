import { expect, test } from "vitest";
import { isApiHost, normaliseApiHost } from "./api-hosts.ts";

test.each([
  ["api.example.com", "api.example.com"],
  [" API.Example.COM ", "api.example.com"],
  ["api.example.com:443", "api.example.com"],
  ["api.example.com:8443", "api.example.com:8443"],
  ["*.example.com", "*.example.com"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["[::1]:4010", "[::1]:4010"],
  ["127.1", "127.0.0.1"],
  ["", null],
  ["*", null],
  ["*.com", null],
  ["*.127.0.0.1", null],
  ["a.*.example.com", null],
  ["https://api.example.com", null],
  ["api.example.com/path", null],
  ["user@api.example.com", null],
  ["api.example.com\nother.example", null],
  ["a".repeat(300), null],
])("%j is normalized to %j", (written, kept) => {
  expect(normaliseApiHost(written)).toBe(kept);
});

test.each([
  ["https://api.example.com/openapi.json", true],
  ["http://api.example.com/openapi.json", true],
  ["https://api.example.com:8443/", false],
  ["https://other.example.com/", false],
  ["https://a.b.example.net/", true],
  ["https://example.net/", false],
  ["https://evilexample.net/", false],
  ["https://api.example.com.evil.example/", false],
  ["https://api.example.com@evil.example/", false],
  ["ftp://api.example.com/", false],
])("allows %s: %s", (address, isAsked) => {
  expect(isApiHost(["api.example.com", "*.example.net"], new URL(address))).toBe(isAsked);
});

test("matches nothing without any hosts", () => {
  expect(isApiHost(undefined, new URL("https://api.example.com/"))).toBe(false);
});
