import path from "node:path";

/** Where a data directory keeps the key that its stored secrets are sealed with; see `openStoreVault`, which takes another key where the operator gives one. */
export const secretsFile = (dataDirectory: string) => path.join(dataDirectory, "secrets.key");
