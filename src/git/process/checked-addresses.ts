/**
 * The configuration that holds git to addresses which a name was resolved to and which were checked: what it resolves to a
 * moment later, and where its server sends on, may be inside of this network. Without addresses git resolves it itself.
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
