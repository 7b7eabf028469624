import fc from "fast-check";
import { expect, it } from "vitest";
import { accentOf, contrast } from "./accent.ts";

type Rgb = [number, number, number];
const rgb = (color: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as Rgb;

it("keeps a legible color", () => {
  expect(accentOf({ primary: "#0b6e99", light: "#4fb3d9", dark: null })).toEqual({ light: "#0b6e99", dark: "#4fb3d9" });
});

it("accepts short forms and has a default color", () => {
  expect(accentOf({ primary: "#00f", light: null, dark: null }).light).toBe("#0000ff");
  expect(accentOf({ primary: null, light: null, dark: null }).light).toBe("#0b6e63");
});

it("is legible on both backgrounds whatever the project's color is", () => {
  const color = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((parts) => {
    return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  });
  fc.assert(
    fc.property(color, color, (primary, light) => {
      const accent = accentOf({ primary, light, dark: null });
      expect(contrast(rgb(accent.light), [255, 255, 255])).toBeGreaterThan(4.5);
      expect(contrast(rgb(accent.dark), [19, 23, 26])).toBeGreaterThan(4.5);
    }),
  );
});
