import { createHash } from "node:crypto";

/** The description at one address, as a project has it. */
export interface AddressedDescription {
  /** The same exactly as long as the copy that is kept; null when there is none. */
  version: string | null;
  /** What its author should know: why there is no copy, or no newer one. Null when all is well. */
  trouble: string | null;
}

/** What a project has of the descriptions that it names by address, at one moment. Nothing is loaded here. */
export interface ApiAddresses {
  find(address: string): AddressedDescription;
  /** The copy of a version. `AppError unavailable` when a newer one took its place. */
  read(address: string, version: string): Promise<string>;
}

/** For sites without a server around them: a directory on somebody's disk. */
export const noAddresses: ApiAddresses = {
  find: () => ({
    version: null,
    trouble: "The description is not read here. The server reads it where `apiHosts` of the project names its host.",
  }),
  read: () => Promise.reject(new Error("nothing is kept")),
};

const MAX_ADDRESS_LENGTH = 2_000;

/** An address as it is kept and compared, without its fragment; null for what is no http or https address. */
export function apiAddress(written: string): string | null {
  if (!/^https?:\/\//i.test(written) || written.length > MAX_ADDRESS_LENGTH) return null;
  const url = URL.parse(written);
  if (url === null) return null;
  url.hash = "";
  return url.href.length <= MAX_ADDRESS_LENGTH ? url.href : null;
}

/** Changes when what a site is made of by these addresses may. */
export function editionOf(addresses: ApiAddresses, asked: Iterable<string>): string {
  const found = [...asked].map((address) => [address, addresses.find(address)]);
  return found.length === 0 ? "" : createHash("sha256").update(JSON.stringify(found)).digest("base64url").slice(0, 16);
}
