import path from "node:path";

/** Where a data directory keeps the key that its stored secrets are sealed with; see `openKeyVault`. */
export const secretsFile = (dataDirectory: string) => path.join(dataDirectory, "secrets.key");
