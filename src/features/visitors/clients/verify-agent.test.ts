import { expect, test } from "vitest";
import { builtInAgents } from "./agent-list.ts";
import { createAgentVerifier } from "./verify-agent.ts";

const networks = new Map([
  ["GPTBot", ["192.0.2.0/24"]],
  ["Perplexity-User", ["192.0.2.0/24", "203.0.113.0/24"]],
]);
const DATE = "2026-11-01";
const verify = createAgentVerifier({ ...builtInAgents, date: DATE, networks });
const time = Date.parse(DATE);
const at = (address: string) => ({ address, time });
const signed = (operator: string, isValid: boolean) => ({
  address: "203.0.113.1",
  time,
  signature: { operator, isValid },
});

test("an agent outside its published addresses is spoofed, unless it is known to use others", () => {
  for (const time of ["first", "remembered"]) {
    expect([time, verify("GPTBot", at("192.0.2.7")), verify("GPTBot", at("198.51.100.7"))]).toEqual([
      time,
      "verified",
      "spoofed",
    ]);
    expect([time, verify("Perplexity-User", at("192.0.2.7")), verify("Perplexity-User", at("198.51.100.7"))]).toEqual([
      time,
      "verified",
      "unverifiable",
    ]);
  }
  expect(verify("Claude Code", at("192.0.2.7"))).toBe("unverifiable");
  // An address that verifies one agent does not verify another.
  expect([verify("Perplexity-User", at("203.0.113.7")), verify("GPTBot", at("203.0.113.7"))]).toEqual(["verified", "spoofed"]); // oxfmt-ignore
});

test("a signature takes precedence, and one operator's key proves nothing about another's agent", () => {
  expect(verify("GPTBot", signed("openai", true))).toBe("verified");
  expect(verify("GPTBot", signed("openai", false))).toBe("spoofed");
  expect(verify("GPTBot", signed("anthropic", true))).toBe("spoofed");
  expect(verify("Chrome on Linux", signed("anthropic", true))).toBe("verified");
  // It takes precedence over the address.
  expect(verify("GPTBot", { ...signed("openai", false), address: "192.0.2.7" })).toBe("spoofed");
});

test("an agent at another address is spoofed within two weeks of the list's date, before and after, and otherwise unverified", () => {
  const on = (day: string) => verify("GPTBot", { address: "198.51.100.7", time: Date.parse(`${day}T23:59:59Z`) });
  expect(["2026-10-17", "2026-10-18", "2026-11-15", "2026-11-16"].map(on)).toEqual([
    "unverified",
    "spoofed",
    "spoofed",
    "unverified",
  ]);
  const late = { time: Date.parse("2027-11-15") };
  expect(verify("GPTBot", { address: "192.0.2.7", ...late })).toBe("verified");
  expect(verify("Perplexity-User", { address: "198.51.100.7", ...late })).toBe("unverifiable");
});
