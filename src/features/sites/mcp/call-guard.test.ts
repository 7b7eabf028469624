import { expect, test } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import type { PlainRequest } from "#lib/network/plain-http.ts";
import { createCallGuard } from "./call-guard.ts";

const request: PlainRequest = { method: "POST", url: "http://harbor.localhost:4000/mcp", headers: new Headers() };
const makeGuard = () => createCallGuard({ clock: { now: () => new Date(0) }, isTrustedProxy: () => false });

test("refused calls of one client leave the site to others", () => {
  const admits = makeGuard();
  const project = newProjectId();
  const admitted = Array.from({ length: 10_000 }, () => admits(request, "192.0.2.1", project)).filter(Boolean);
  expect(admitted).toHaveLength(300);
  expect(admits(request, "192.0.2.2", project)).toBe(true);
});

test("a client with all addresses of an IPv6 network gets no more calls than one with a single address", () => {
  const admits = makeGuard();
  const project = newProjectId();
  const addresses = Array.from({ length: 1_000 }, (_, index) => `2001:db8::${(index + 1).toString(16)}`);
  expect(addresses.filter((address) => admits(request, address, project))).toHaveLength(300);
});
