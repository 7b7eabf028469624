import { describe, expect, it } from "vitest";
import { API_KEY_PATTERN, generateApiKey, hashApiKey, isWellFormedApiKey } from "./api-key.ts";

describe("an API key", () => {
  it("has the prefix, enough random characters and a checksum that fits", () => {
    const key = generateApiKey();
    expect(key).toMatch(/^docent_[0-9A-Za-z]{38}$/);
    expect(key).toMatch(API_KEY_PATTERN);
    expect(isWellFormedApiKey(key)).toBe(true);
  });

  it("is unique", () => {
    const keys = new Set(Array.from({ length: 1_000 }, generateApiKey));
    expect(keys.size).toBe(1_000);
  });

  it("is rejected with any one character changed", () => {
    const key = generateApiKey();
    for (let index = 0; index < key.length; index++) {
      const other = key[index] === "x" ? "y" : "x";
      expect(isWellFormedApiKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
    }
  });

  it("is rejected if it is too short, too long or empty", () => {
    const key = generateApiKey();
    for (const wrong of ["", "docent_", key.slice(0, -1), `${key}0`, key.replace("docent_", "dosent_")]) {
      expect(isWellFormedApiKey(wrong)).toBe(false);
    }
  });

  it("is stored as the SHA-256 of the whole key", () => {
    expect(hashApiKey("docent_x")).toBe("b9ad13de489e135b07377c4ac1261ed63e0e13cd197e67c4f9dd67eb0bdf8ac5");
  });
});
