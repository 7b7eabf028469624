import { createSecretKey } from "node:crypto";
import { createKeyVault } from "#lib/secrets/key-vault.ts";

/** For tests that fold views and use no key. */
export const testVault = createKeyVault(createSecretKey(Buffer.alloc(32, 7)));
