import { expect, it } from "vitest";
import { clearedCookie, readerCookie } from "./reader-cookie.ts";

it.each([
  ["https:", "", "__Host-docent_reader=v; Path=/; HttpOnly; SameSite=Lax; Secure"],
  ["https:", "/docs", "__Secure-docent_reader=v; Path=/docs; HttpOnly; SameSite=Lax; Secure"],
  ["http:", "/docs", "docent_reader=v; Path=/docs; HttpOnly; SameSite=Lax"],
])("a cookie over %s below “%s” follows the browsers' rules for its name", (scheme, base, cookie) => {
  expect(readerCookie({ value: "v", expiresAt: null, scheme, base })).toBe(cookie);
  expect(clearedCookie({ scheme, base })).toBe(cookie.replace("=v;", "=; Max-Age=0;"));
});
