/** The parameter of an asset's address that names its version. */
export const VERSION_PARAMETER = "v";

/** Enough of a file's version (a blob) to tell it from every other version of the same path. */
export const shortVersion = (version: string): string => version.slice(0, 12);
