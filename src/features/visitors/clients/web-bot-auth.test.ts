import { createPublicKey, randomBytes, verify } from "node:crypto";
import { expect, test } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import { signedHeaders, TEST_KEY, TEST_KEY_ID } from "#testing/signed-requests.ts";
import { createAgentKeyRing } from "./agent-key-ring.ts";
import { parseJwks } from "./key-directory.ts";
import { signatureBase, type FieldList, parseFieldDictionary, createSignatureCheck } from "./web-bot-auth.ts";

const CREATED = 1_735_689_600; // from the draft's examples
const AGENT = '"https://signature-agent.test"';
const outboundHttp = {
  send: async () => {
    throw new Error("nothing may be fetched");
  },
};

function setUp(given: { at?: number; scheme?: string; jwk?: object; host?: string } = {}) {
  const clock = { now: () => new Date((given.at ?? CREATED + 10) * 1_000) };
  const keys = parseJwks(JSON.stringify({ keys: [given.jwk ?? TEST_KEY] })) ?? new Map();
  const host = given.host ?? "signature-agent.test";
  const directories = [{ host, operator: "OpenAI", fetch: false, keys }];
  const ring = createAgentKeyRing({ directories, outboundHttp, clock, logger: silentLogger });
  const check = createSignatureCheck({ keys: ring, clock, scheme: () => given.scheme ?? "https:" });
  return async (headers: Record<string, string>, url = "https://example.com/path/to/resource") =>
    (await check(new Request(url, { headers })))?.isValid ?? null;
}

const signed = (lines: string[], given: Partial<Parameters<typeof signedHeaders>[0]> = {}) =>
  signedHeaders({ lines, created: CREATED, ...given });
const AUTHORITY = '"@authority": example.com';

test("a key's id is its thumbprint", () => {
  expect([...(parseJwks(JSON.stringify({ keys: [TEST_KEY] })) ?? new Map()).keys()]).toEqual([TEST_KEY_ID]);
});

test("the signature base of RFC 9421, B.2.6 is reproduced", () => {
  const input =
    'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"';
  const signature = "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==";
  const headers = new Headers({
    date: "Tue, 20 Apr 2021 02:07:55 GMT",
    "content-type": "application/json",
    "content-length": "18",
  });
  const url = new URL("https://example.com/foo?param=Value&Pet=dog");
  const made = signatureBase({ method: "POST", url, headers }, parseFieldDictionary(input).get("sig-b26") as FieldList);
  expect(made).toEqual({
    base: [
      '"date": Tue, 20 Apr 2021 02:07:55 GMT',
      '"@method": POST',
      '"@path": /foo',
      '"@authority": example.com',
      '"content-type": application/json',
      '"content-length": 18',
      '"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
    ].join("\n"),
  });
  const key = createPublicKey({ key: TEST_KEY, format: "jwk" });
  const base = typeof made === "object" ? made.base : "";
  expect(verify(null, Buffer.from(base), key, Buffer.from(signature, "base64"))).toBe(true);
});

// draft-meunier-web-bot-auth-architecture, appendix: the Ed25519 examples of its versions with a string …
const DRAFT_PLAIN = {
  "Signature-Input": `sig1=("@authority");created=1735689600;keyid="${TEST_KEY_ID}";alg="ed25519";expires=1735693200;nonce="mYotfW3CUjI68sbGw6oKd7kyXqPjZEtU8xFPGWFrqOAf5qC6MDe3pys3SWWCudB0MvwslHy32WXUpkR7u0lt/w==";tag="web-bot-auth"`,
  Signature: "sig1=:+NA/cssf4Y2bQTMTkyvTGRCaVzp9quyUevdwwMtMOWhhOOZ2T1subBj0BtvdnrpDEuwSAbiTeElXDzHL3WWKCw==:",
};
const DRAFT_NAMED = {
  "Signature-Input": `sig2=("@authority" "signature-agent");created=1735689600;keyid="${TEST_KEY_ID}";alg="ed25519";expires=1735693200;nonce="e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==";tag="web-bot-auth"`,
  Signature: "sig2=:jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==:",
  "Signature-Agent": AGENT,
};
// … and with a dictionary in Signature-Agent. Those are valid for a hundred years.
const DRAFT_MEMBER = {
  "Signature-Input": `sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="${TEST_KEY_ID}";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"`,
  Signature: "sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:",
  "Signature-Agent": 'agent2="https://signature-agent.test"',
};

test("accepts the draft's examples", async () => {
  expect(await setUp()(DRAFT_PLAIN)).toBe(true);
  expect(await setUp()(DRAFT_NAMED)).toBe(true);
  const input = parseFieldDictionary(DRAFT_MEMBER["Signature-Input"]).get("sig2") as FieldList;
  const made = signatureBase(
    { method: "GET", url: new URL("https://example.com/"), headers: new Headers(DRAFT_MEMBER) },
    input,
  );
  const signature = Buffer.from(DRAFT_MEMBER.Signature.slice(6, -1), "base64");
  const key = createPublicKey({ key: TEST_KEY, format: "jwk" });
  expect(verify(null, Buffer.from(typeof made === "object" ? made.base : ""), key, signature)).toBe(true);
  expect(await setUp()(DRAFT_MEMBER)).toBe(false); // no signature may be valid for a hundred years
});

test("a signature covers one member of Signature-Agent, or the target, on any port, scheme and path", async () => {
  const member = signed([AUTHORITY, '"signature-agent";key="me": "https://signature-agent.test"']);
  expect(
    await setUp()({ ...member, "Signature-Agent": 'other="https://else.test", me="https://signature-agent.test"' }),
  ).toBe(true);
  const target = signed([
    '"@target-uri": http://docs.localhost:4000/a?b=c',
    '"@method": GET',
    '"@query": ?b=c',
    '"@scheme": http',
    '"accept": text/markdown, */*;q=0.1',
  ]);
  const headers = { ...target, accept: " text/markdown, */*;q=0.1 " };
  expect(await setUp({ scheme: "http:" })(headers, "http://docs.localhost:4000/a?b=c")).toBe(true);
  expect(await setUp()(headers, "http://docs.localhost:4000/a?b=c")).toBe(false); // not the signed scheme
  expect(await setUp()(signed([AUTHORITY]), "http://EXAMPLE.com:443/")).toBe(true); // TLS was terminated before this server
});

test.each<[string, Record<string, string>, string?]>([
  ["another host", DRAFT_NAMED, "https://example.org/"],
  ["another port", DRAFT_NAMED, "https://example.com:8443/"],
  ["another signature", { ...DRAFT_NAMED, Signature: DRAFT_NAMED.Signature.replace(":jdq0", ":kdq0") }],
  ["a short signature", { ...DRAFT_NAMED, Signature: "sig2=:AAAA:" }],
  ["another nonce", { ...DRAFT_NAMED, "Signature-Input": DRAFT_NAMED["Signature-Input"].replace("e8N7", "e8N8") }],
  ["a later end", { ...DRAFT_NAMED, "Signature-Input": DRAFT_NAMED["Signature-Input"].replace("5693200", "5693201") }],
  ["an agent that is not covered", { ...DRAFT_PLAIN, "Signature-Agent": AGENT }],
  ["nothing that says for whom", signed(['"@method": GET'])],
  ["a component twice", signed([AUTHORITY, AUTHORITY])],
  ["a header that is not there", signed([AUTHORITY, '"x-none": 1'])],
  ["no end", signed([AUTHORITY], { parameters: `;created=${CREATED};keyid="${TEST_KEY_ID}";tag="web-bot-auth"` })],
  ["an end before its start", signed([AUTHORITY], { created: CREATED + 20, expires: CREATED })],
  ["a start that is still to come", signed([AUTHORITY], { created: CREATED + 100 })],
  ["an end that has passed", signed([AUTHORITY], { created: CREATED - 400, expires: CREATED - 100 })],
  ["two days of validity", signed([AUTHORITY], { expires: CREATED + 2 * 86_400 })],
])("rejects a signature with %s", async (_what, headers, url) => {
  expect(await setUp()(headers, url)).toBe(false);
});

test.each<[string, Record<string, string>]>([
  ["no signature", {}],
  ["an agent's name alone", { "Signature-Agent": AGENT }],
  ["a signature for another purpose", signed([AUTHORITY], { tag: "payment" })],
  [
    "an agent of another host",
    { ...signed([AUTHORITY, '"signature-agent": "https://else.test"']), "Signature-Agent": '"https://else.test"' },
  ],
  ["an agent that is no address", { ...signed([AUTHORITY, '"signature-agent": "me"']), "Signature-Agent": '"me"' }],
  ["an unknown key", { ...DRAFT_NAMED, "Signature-Input": DRAFT_NAMED["Signature-Input"].replace("poqk", "aaaa") }],
  [
    "another algorithm",
    { ...DRAFT_PLAIN, "Signature-Input": DRAFT_PLAIN["Signature-Input"].replace("ed25519", "rsa-v1") },
  ],
  ["a component that we do not know", signed([AUTHORITY, '"@query-param";name="a": b'])],
  ["a parameter that we do not know", signed([AUTHORITY, '"accept";bs: :AA==:'])],
  ["too many components", signed([AUTHORITY, ...Array.from({ length: 40 }, (_, index) => `"x-${index}": 1`)])],
  ["a header without an end", { "Signature-Input": 'sig1=("@authority";tag="web-bot-auth"', Signature: "sig1=:AA" }],
  [
    "a header of 15 KB",
    { ...DRAFT_PLAIN, "Signature-Input": `${DRAFT_PLAIN["Signature-Input"]};a="${"b".repeat(15_000)}"` },
  ],
  ["a signature that is text", { ...DRAFT_PLAIN, Signature: 'sig1="abc"' }],
  ["a signature of another name", { ...DRAFT_PLAIN, Signature: DRAFT_PLAIN.Signature.replace("sig1", "sig3") }],
  ["an input that is no list", { "Signature-Input": 'sig1="web-bot-auth"', Signature: DRAFT_PLAIN.Signature }],
])("makes no decision about %s", async (_what, headers) => {
  expect(await setUp()({ accept: "*/*", ...headers })).toBeNull();
});

test("an expired key of an operator decides nothing", async () => {
  expect(await setUp({ jwk: { ...TEST_KEY, exp: CREATED + 5 } })(DRAFT_PLAIN)).toBeNull();
  expect(await setUp({ jwk: { ...TEST_KEY, exp: (CREATED + 50) * 1_000 } })(DRAFT_PLAIN)).toBe(true);
});

test("invalid headers never cause an error", async () => {
  const check = setUp();
  const outcomes = new Set<boolean | null>();
  const parts = [
    'sig1=("@authority")',
    ";tag=",
    '"web-bot-auth"',
    ";keyid=",
    `"${TEST_KEY_ID}"`,
    ":",
    "(",
    '"',
    "=",
    ";created=1",
    "%",
    ",",
  ];
  for (let round = 0; round < 2_000; round++) {
    const bytes = randomBytes(12);
    const text = `web-bot-auth${[...bytes].map((byte) => parts[byte % parts.length]).join("")}`;
    const texts = [text, `sig1${text}`, text.slice(12), DRAFT_PLAIN["Signature-Input"]];
    const at = (index: number) => texts[(bytes[index] ?? 0) % texts.length] ?? "";
    outcomes.add(await check({ "Signature-Input": at(0), Signature: at(1), "Signature-Agent": at(2) }));
  }
  expect(outcomes).not.toContain(true);
});

test("skips some of very many simultaneous signatures, and misjudges none", async () => {
  const check = setUp();
  const all = await Promise.all(
    Array.from({ length: 500 }, (_, index) =>
      check({ ...signed([AUTHORITY, `"x-number": ${index}`]), "x-number": String(index) }),
    ),
  );
  expect(all).not.toContain(false);
  expect(all.filter((one) => one === true).length).toBeGreaterThanOrEqual(64);
});
