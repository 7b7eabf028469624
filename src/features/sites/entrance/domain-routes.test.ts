import { expect, test } from "vitest";
import { parseAddressRanges } from "#lib/network/network-address.ts";
import { createCheckGuard, domainCheckRoutes } from "./domain-routes.ts";

test("requests of strangers through the proxy do not use up the proxy's own limit", () => {
  const clock = { now: () => new Date("2026-11-20T12:00:00Z") };
  const admits = createCheckGuard({ clock, isTrustedProxy: parseAddressRanges(["127.0.0.0/8"]) });
  const asked = (forwardedFor: string | null) => ({
    headers: new Headers(forwardedFor === null ? {} : { "x-forwarded-for": forwardedFor }),
  });
  let admitted = 0;
  for (let count = 0; count < 2_000; count += 1)
    if (admits(asked("127.0.0.1, 203.0.113.9"), "127.0.0.1")) admitted += 1;
  expect(admitted).toBe(1_200);
  expect(admits(asked(null), "127.0.0.1")).toBe(true);
  expect(admits(asked("198.51.100.7"), "::ffff:127.0.0.1")).toBe(true);
  expect(admits(asked(null), "203.0.113.9")).toBe(false);
});

test("a stranger who checks the 1,201st name within a minute has to wait", async () => {
  const clock = { now: () => new Date("2026-11-20T12:00:00Z") };
  const admitsCheck = createCheckGuard({ clock, isTrustedProxy: parseAddressRanges([]) });
  const routes = domainCheckRoutes({ isServed: async () => true, admitsCheck });
  const ask = () => routes.request("/domains/check?domain=docs.example.com", {}, { peerAddress: "203.0.113.9" });
  for (let count = 0; count < 1_200; count += 1) expect((await ask()).status).toBe(200);
  const refused = await ask();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
});
