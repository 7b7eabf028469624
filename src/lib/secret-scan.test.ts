import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSecretScanner, findSecrets, redact } from "./secret-scan.ts";
import { Secret } from "./secret.ts";

// Put together at run time, so that no file of this repository holds text in the shape of a credential.
const random = "q7Zt2mXw9KpR4vLc8NbY3sHd6JfG1aEuT5oQiWzD0xVkMrPy";
const credentials: [kind: string, text: string][] = [
  ["GitHub token", `ghp_${random.slice(0, 36)}`],
  ["GitHub token", `github_pat_${random.slice(0, 22)}_${random}${random.slice(0, 11)}`],
  ["GitLab token", `glpat-${random.slice(0, 20)}`],
  ["AWS access key", `AKIA${"Q3WZ7RTYUP2MNBVC"}`],
  ["AWS secret key", `aws_secret_access_key = "${random.slice(0, 40)}"`],
  ["Anthropic key", `sk-ant-api03-${random}`],
  ["OpenAI key", `sk-proj-${random}`],
  ["OpenAI key", `sk-${random}`],
  ["Google API key", `AIza${random.slice(0, 35)}`],
  ["Google OAuth secret", `GOCSPX-${random.slice(0, 28)}`],
  ["Slack token", `xoxb-${"731957284610"}-${random.slice(0, 24)}`],
  ["Slack webhook", `https://hooks.slack.com/services/T0A1B2C3D/B0A1B2C3D/${random.slice(0, 24)}`],
  ["Stripe key", `sk_live_${random.slice(0, 24)}`],
  ["webhook secret", `whsec_${random.slice(0, 32)}`],
  ["npm token", `npm_${random.slice(0, 36)}`],
  ["Docent key", `docent_${random.slice(0, 33)}`],
  ["JSON Web Token", `eyJ${random.slice(0, 20)}.eyJ${random.slice(2, 30)}.${random.slice(5, 43)}`],
  ["private key", `-----BEGIN RSA PRIVATE KEY-----\n${random}\n${random}\n-----END RSA PRIVATE KEY-----`],
  ["password in a URL", `postgres://app:${random.slice(0, 16)}@db.internal:5432/app`],
];

describe("credentials of well-known shape", () => {
  test.each(credentials)("a %s is found and masked: %#", (kind, text) => {
    const page = `# Set-up\n\nPut this there: ${text}\nand go on.\n`;
    expect(findSecrets(page)).toMatchObject([{ kind, line: 3 }]);
    const masked = redact(page);
    expect(masked).toContain("[redacted]");
    expect(masked).toContain("and go on.");
    expect(masked).not.toContain(random.slice(2, 14));
    expect(findSecrets(masked)).toEqual([]);
  });

  test("the finding gives the line and shows it with the secret masked", () => {
    const text = `one\ntwo\n  export TOKEN=ghp_${random.slice(0, 36)} # mine\nfour`;
    expect(findSecrets(text)).toEqual([
      { kind: "GitHub token", line: 3, excerptRedacted: "export TOKEN=[redacted] # mine" },
    ]);
  });

  test("two secrets on one line are two findings, each with both masked", () => {
    const found = findSecrets(`a=ghp_${random.slice(0, 36)} b=glpat-${random.slice(0, 20)}`);
    expect(found.map((finding) => finding.kind)).toEqual(["GitHub token", "GitLab token"]);
    expect(new Set(found.map((finding) => finding.excerptRedacted))).toEqual(new Set(["a=[redacted] b=[redacted]"]));
  });
});

describe("text of documentation that only looks like a credential", () => {
  test.each([
    "export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "export GITHUB_TOKEN=ghp_YOUR_TOKEN_HERE",
    "export OPENAI_API_KEY=sk-...",
    'OPENAI_API_KEY="sk-your-key-goes-here-and-never-into-the-repository-2A"',
    "sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "aws_access_key_id = AKIAIOSFODNN7EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "glpat-<your-access-token-with-api-scope>",
    "Authorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqh...\n-----END PRIVATE KEY-----",
    "postgres://user:password@localhost:5432/docs",
    "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
    "docent_live_and_let_die is no key",
    "Keys start with `docent_`, secrets with `whsec_`, GitHub tokens with `ghp_` or `github_pat_`.",
    '<div class="sk-folding-cube-with-a-very-long-class-name-that-goes-on-and-on">',
    "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha512-q7Zt2mXw9KpR4vLc8NbY3sHd6JfG1aEuT5oQiWzD0xVkMrPyq7Zt2mXw9KpR4vLc8NbY==",
    "id: 018f3e2a-7b1c-7def-8a90-1b2c3d4e5f60",
    "![diagram](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk)",
    "See http://localhost:4000/a:b/c@v2 and mailto:someone@docs.test",
  ])("%s", (text) => {
    expect(findSecrets(text)).toEqual([]);
    expect(redact(text)).toBe(text);
  });
});

describe("secrets of ours", () => {
  const password = 'hunter2 & "friends"/für-immer';
  const scanner = createSecretScanner([new Secret(password), new Secret("short")]);

  test.each([
    ["verbatim", password],
    ["percent-encoded", encodeURIComponent(password)],
    ["JSON-escaped", JSON.stringify({ password })],
    ["hexadecimal", Buffer.from(password).toString("hex")],
    ["in base64", Buffer.from(password).toString("base64")],
    ["in base64 after one character", Buffer.from(`:${password} and more`).toString("base64")],
    ["in base64 after two characters", Buffer.from(`a:${password} and more`).toString("base64")],
    ["in base64 for URLs", Buffer.from(`a:${password}`).toString("base64url")],
  ])("are found %s", (_, text) => {
    expect(scanner.findSecrets(`x ${text} y`)).toMatchObject([{ kind: "configured secret" }]);
    expect(scanner.redact(`x ${text} y`)).toContain("[redacted]");
  });

  test("are never masked when they are shorter than eight characters", () => {
    expect(scanner.redact("a short text")).toBe("a short text");
  });

  test("never survive in base64, whatever stands around them", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.string({ maxLength: 40 }), (before, after) => {
        const encoded = Buffer.from(before + password + after).toString("base64");
        expect(scanner.findSecrets(encoded).length).toBeGreaterThan(0);
      }),
    );
  });
});

test("JSON that is masked as a whole stays JSON", () => {
  const secret = fc.constantFrom(...credentials.map(([, text]) => text));
  const noise = fc.string({ unit: fc.constantFrom('"', "\\", "\n", "a", "-", "@", " "), maxLength: 6 });
  fc.assert(
    fc.property(noise, secret, noise, (before, text, after) => {
      const json = JSON.stringify({ value: before + text + after });
      expect(() => JSON.parse(redact(json)) as unknown).not.toThrow();
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ["starts of tokens", "eyJaaaaaaaaaaaa-"],
  ["starts of keys", "-----BEGIN PRIVATE KEY-----AAAA"],
  ["schemes", "a.b+c-d://"],
  ["one endless word", "aws_secret_"],
  ["findings", `ghp_${random.slice(0, 36)}\n`],
])("two megabytes of %s are scanned in under two seconds", (_, unit) => {
  const text = unit.repeat(Math.ceil(2_000_000 / unit.length));
  const started = performance.now();
  expect(findSecrets(text).length).toBeLessThanOrEqual(100);
  expect(performance.now() - started).toBeLessThan(2_000);
});
