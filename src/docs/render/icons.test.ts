import { expect, test } from "vitest";
import { createIcons } from "./icons.ts";

const icons = createIcons();

test.each([
  ["rocket", null, null],
  ["tabler:brand-rust", null, null],
  ["fa-solid fa-home", null, null],
  ["github", "brands", null],
  ["bell", "regular", null],
  ["cog", "solid", null],
  ["file-alt", null, "fontawesome"],
  ["brand-docker", null, "tabler"],
  ["sparkles", "duotone", null],
] as const)("%s (%s, %s) is an icon", (name, type, library) => {
  expect(icons.svg(name, type, library)).toMatch(/^<svg class="content-icon"/);
});

test("the set that the site chooses takes precedence", () => {
  expect(icons.svg("home", null, "lucide")).not.toBe(icons.svg("home", null, "tabler"));
  expect(icons.svg("bell", "regular")).not.toBe(icons.svg("bell", "solid"));
});

test.each(["", "no-such-icon", "constructor", "__proto__", "../../etc/passwd", "a".repeat(100), "<b>"])(
  "%j is not an icon",
  (name) => {
    expect(icons.svg(name)).toBeNull();
  },
);
