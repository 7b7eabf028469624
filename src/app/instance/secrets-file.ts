import path from "node:path";

/**
 * The key file of a data directory, which seals its stored secrets. `openStoreVault` uses another key if the operator
 * sets one.
 */
export const secretsFile = (dataDirectory: string) => path.join(dataDirectory, "secrets.key");
