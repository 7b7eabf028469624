import { createHash } from "node:crypto";

/** A project's copy of the API description at one address. */
export interface AddressedDescription {
  /** Changes exactly when the stored copy does; null without a copy. */
  version: string | null;
  /** Why there is no copy, or no newer one, for the author; null when all is well. */
  trouble: string | null;
}

/** The copies that a project has of the API descriptions it names by address, at one moment. Nothing is loaded here. */
export interface ApiAddresses {
  find(address: string): AddressedDescription;
  /** Reads the copy of that version. `AppError unavailable` when a newer copy replaced it. */
  read(address: string, version: string): Promise<string>;
}

/** For sites that no server runs, such as a directory on disk. */
export const noAddresses: ApiAddresses = {
  find: () => ({
    version: null,
    trouble: "The description is not read here. The server reads it where `apiHosts` of the project names its host.",
  }),
  read: () => Promise.reject(new Error("nothing is kept")),
};

const MAX_ADDRESS_LENGTH = 2_000;

/** Normalizes an address for storing and comparing, without its fragment; null unless it is an http or https address. */
export function apiAddress(written: string): string | null {
  if (!/^https?:\/\//i.test(written) || written.length > MAX_ADDRESS_LENGTH) return null;
  const url = URL.parse(written);
  if (url === null) return null;
  url.hash = "";
  return url.href.length <= MAX_ADDRESS_LENGTH ? url.href : null;
}

/** Changes whenever the copies at these addresses do, and the site with them. */
export function editionOf(addresses: ApiAddresses, asked: Iterable<string>): string {
  const found = [...asked].map((address) => [address, addresses.find(address)]);
  return found.length === 0 ? "" : createHash("sha256").update(JSON.stringify(found)).digest("base64url").slice(0, 16);
}
