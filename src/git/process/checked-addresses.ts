/**
 * Git configuration that pins a host name to addresses that were resolved and checked, and forbids redirects: a second
 * lookup or a redirect could lead inside this network. Without addresses git resolves the name itself.
 */
export const checkedAddresses = (
  { hostname, port, protocol }: URL,
  addresses: readonly string[],
): Record<string, string> => ({
  "http.followRedirects": "false",
  ...(addresses.length > 0 && {
    "http.curloptResolve": `${hostname}:${port || (protocol === "https:" ? "443" : "80")}:${addresses.map(bracketed).join(",")}`,
  }),
});

const bracketed = (address: string) => (address.includes(":") ? `[${address}]` : address);
