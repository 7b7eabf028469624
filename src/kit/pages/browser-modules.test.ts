import { Script } from "node:vm";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { browserModule, compactCss } from "./browser-modules.ts";

describe("browser modules", () => {
  it.each(["theme", "site", "confirm-view", "dashboard"])(
    "%s is JavaScript without types, comments and imports",
    (name) => {
      const code = browserModule(name);
      expect(() => new Script(code)).not.toThrow();
      expect(code).not.toMatch(/^\s*\/\/|\/\*\*|^import /m);
      expect(code.length).toBeGreaterThan(100);
    },
  );

  it("confirm-view is under 1 KB when it is sent", () => {
    expect(gzipSync(browserModule("confirm-view")).length).toBeLessThan(1_000);
  });

  it("are small in all", () => {
    const total = ["theme", "site", "confirm-view"].map((name) => gzipSync(browserModule(name)).length);
    expect(total.reduce((sum, size) => sum + size)).toBeLessThan(6_000);
  });
});

it("compacts CSS without changing its meaning", () => {
  expect(compactCss("/* note */\n.a > .b,\n.c {\n  margin: 0 auto;\n  color: red;\n}\n")).toBe(
    ".a > .b,.c{margin: 0 auto;color: red}",
  );
});
