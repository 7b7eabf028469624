import { expect, it } from "vitest";
import { aspectRatio } from "./image-shape.ts";

it.each([
  ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 12"></svg>', 2],
  ["<?xml version='1.0'?>\n<svg width='30' height='10'>", 3],
  ['<svg width="100%" viewBox="0,0,10,10">', 1],
  ["<svg>", null],
  ['<svg viewBox="0 0 0 0">', null],
  ["not an image", null],
  ["", null],
])("the aspect ratio of %j is %s", (source, expected) => {
  expect(aspectRatio(new TextEncoder().encode(source))).toBe(expected);
});

it("reads the size in a PNG's header", () => {
  const png = Buffer.alloc(33);
  png.writeUInt32BE(0x89504e47, 0);
  png.writeUInt32BE(300, 16);
  png.writeUInt32BE(200, 20);
  expect(aspectRatio(png)).toBe(1.5);
});
