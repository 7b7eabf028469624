import { z } from "zod";
import { parseAddressRanges } from "#lib/network/network-address.ts";
import { parseAllowedHosts } from "#lib/network/outbound-http.ts";
import { trimEndOf } from "#lib/trim.ts";

/** A list of addresses and CIDR ranges, separated by commas. */
export const addressRanges = () => listOf(parseAddressRanges);

/** A list of hosts, addresses and CIDR ranges, separated by commas. */
export const hostsAndRanges = () => listOf(parseAllowedHosts);

function listOf(parse: (entries: string[]) => unknown) {
  return z
    .string()
    .default("")
    .transform((text, context) => {
      const entries = text
        .split(",")
        .map((entry) => entry.trim())
        .filter(Boolean);
      try {
        parse(entries);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        context.addIssue({ code: "custom", message: error.message });
      }
      return entries;
    });
}

/** The address of a server, without a trailing slash. The dashboard, the API and git are at its root. */
export const serverUrl = () =>
  z
    .url({ protocol: /^https?$/ })
    .transform((text) => trimEndOf(text, "/"))
    .refine(
      isOnlyHost,
      "must be a scheme, a host and a port, such as https://docs.example.com: the server cannot be below a path",
    );

function isOnlyHost(text: string): boolean {
  const { pathname, search, hash, username, password } = new URL(text);
  return pathname === "/" && search + hash + username + password === "";
}
