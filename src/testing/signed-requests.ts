import { createPrivateKey, sign } from "node:crypto";

/** RFC 9421, B.1.4: the key of all published examples. */
export const TEST_KEY = {
  kty: "OKP",
  crv: "Ed25519",
  x: "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs",
} as const;
export const TEST_KEY_ID = "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";
const privateKey = createPrivateKey({
  key: { ...TEST_KEY, d: "n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU" },
  format: "jwk",
});

/** Signature headers over lines of a signature base (`"@authority": example.com`), as an agent would send them. */
export function signedHeaders(options: {
  lines: readonly string[];
  /** Seconds since 1970. */
  created: number;
  expires?: number;
  parameters?: string;
  tag?: string;
}): { "Signature-Input": string; Signature: string } {
  const { lines, created, expires = created + 300, tag = "web-bot-auth" } = options;
  const components = lines.map((line) => line.slice(0, line.indexOf(": "))).join(" ");
  const parameters = options.parameters ?? `;created=${created};expires=${expires};keyid="${TEST_KEY_ID}";tag="${tag}"`;
  const input = `(${components})${parameters}`;
  const base = [...lines, `"@signature-params": ${input}`].join("\n");
  const signature = sign(null, Buffer.from(base), privateKey).toString("base64");
  return { "Signature-Input": `sig1=${input}`, Signature: `sig1=:${signature}:` };
}
