import { createSecretKey, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { z } from "zod";
import { createKeyVault } from "./key-vault.ts";
import { openClaims, sealClaims } from "./sealed-claims.ts";

const STATE = { purpose: "state", lifetimeMs: 60_000, schema: z.object({ who: z.string() }) };
const time = { now: 1_000_000 };
const deps = { vault: createKeyVault(createSecretKey(randomBytes(32))), clock: { now: () => new Date(time.now) } };

it("opens claims until they expire", () => {
  const sealed = sealClaims(deps, { who: "ada" }, STATE);
  expect(openClaims(deps, sealed, STATE)).toEqual({ who: "ada", until: 1_060_000 });
  time.now += 59_999;
  expect(openClaims(deps, sealed, STATE)).not.toBeNull();
  time.now += 1;
  expect(openClaims(deps, sealed, STATE)).toBeNull();
});

it.each([
  ["another purpose", () => sealClaims(deps, { who: "ada" }, { ...STATE, purpose: "other" })],
  ["another shape", () => sealClaims(deps, { whose: "ada" }, STATE)],
  ["a longer lifetime than the kind has", () => sealClaims(deps, { who: "ada" }, { ...STATE, lifetimeMs: 120_000 })],
  ["another server", () => sealClaims({ ...deps, vault: createKeyVault(createSecretKey(randomBytes(32))) }, { who: "ada" }, STATE)], // oxfmt-ignore
  ["no server", () => "v1.nonsense"],
])("refuses claims of %s", (_name, seal) => {
  expect(openClaims(deps, seal(), STATE)).toBeNull();
});
