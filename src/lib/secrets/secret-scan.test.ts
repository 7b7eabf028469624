import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { createSecretScanner, findSecrets, redact } from "./secret-scan.ts";
import { Secret } from "./secret.ts";

// Concatenated at run time, so that no file of this repository contains text in the shape of a credential.
const random = "q7Zt2mXw9KpR4vLc8NbY3sHd6JfG1aEuT5oQiWzD0xVkMrPy";
const hex = "3f9a1c7e5b2d8064a7c3e9150b6d284f9e1c7a305d8b6f42";
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
  ["PyPI token", `pypi-AgE${random}${random}`],
  ["RubyGems key", `rubygems_${hex}`],
  ["DigitalOcean token", `dop_v1_${hex}${hex.slice(0, 16)}`],
  ["Azure account key", `AccountKey=${random}${random.slice(0, 38)}==`],
  ["Azure client secret", `abc8Q~${random.slice(0, 34)}`],
  ["Atlassian token", `ATATT3${random}${random}${random}${random}`],
  ["Sentry token", `sntrys_${random}${random}`],
  ["Netlify token", `nfp_${random.slice(0, 36)}`],
  ["Supabase token", `sbp_${hex.slice(0, 40)}`],
  ["New Relic key", `NRAK-${random.toUpperCase().slice(0, 27)}`],
  ["1Password token", `ops_ey${random}${random}${random}`],
  ["Cloudflare token", `cfut_${random.slice(0, 40)}0a9f3c7e`],
  ["Databricks token", `dapi${"3f9a1c7e5b2d8064"}${"a7c3e9150b6d284f"}`],
  ["Docker token", `dckr_pat_${random.slice(0, 27)}`],
  ["Figma token", `figd_${random.slice(0, 44)}`],
  ["Grafana token", `glsa_${random.slice(0, 32)}_3f9a1c7e`],
  ["Groq key", `gsk_${random}${random.slice(0, 4)}`],
  ["Hugging Face token", `hf_${`${random}${random}`.replaceAll(/\d/g, "").slice(0, 34)}`],
  ["Linear key", `lin_api_${random.slice(0, 40)}`],
  ["Notion token", `ntn_${"73195728461"}${random.slice(0, 35)}`],
  ["SendGrid key", `SG.${random.slice(0, 22)}.${random.slice(2, 45)}`],
  ["Shopify token", `shpat_${random.slice(0, 32)}`],
  ["Tailscale key", `tskey-auth-${random.slice(0, 12)}-${random.slice(0, 32)}`],
  ["Vault token", `hvs.${random}${random}`.slice(0, 99)],
  ["Vercel token", `vcp_${random}`],
  ["Docent key", `docent_${random.slice(0, 33)}`],
  ["JSON Web Token", `eyJ${random.slice(0, 20)}.eyJ${random.slice(2, 30)}.${random.slice(5, 43)}`],
  ["private key", `-----BEGIN RSA PRIVATE KEY-----\n${random}\n${random}\n-----END RSA PRIVATE KEY-----`],
  ["password in a URL", `postgres://app:${random.slice(0, 16)}@db.internal:5432/app`],
];

const base64 = (text: string) => Buffer.from(text).toString("base64");
const split = (text: string, between: string) => [text.slice(0, 9), text.slice(9, 20), text.slice(20)].join(between);
const wide = (text: string) => text.replaceAll(/[!-~]/g, (each) => String.fromCodePoint(each.charCodeAt(0) + 0xfee0));
const references = (text: string) =>
  Array.from(text)
    .map((each) => `&#${each.codePointAt(0)};`)
    .join("");

describe("credentials of well-known shape", () => {
  test.each(credentials)("finds and masks a %s: %#", (kind, text) => {
    const page = `# Set-up\n\nPut this there: ${text}\nand go on.\n`;
    expect(findSecrets(page)).toMatchObject([{ kind, line: 3 }]);
    const masked = redact(page);
    expect(masked).toContain("[redacted]");
    expect(masked).toContain("and go on.");
    expect(masked).not.toContain(random.slice(2, 14));
    expect(findSecrets(masked)).toEqual([]);
  });

  test("a finding has the line number and the line with the secret masked", () => {
    const text = `one\ntwo\n  export TOKEN=ghp_${random.slice(0, 36)} # mine\nfour`;
    expect(findSecrets(text)).toEqual([
      {
        kind: "GitHub token",
        line: 3,
        excerptRedacted: "export TOKEN=[redacted] # mine",
        digests: [expect.any(String)],
      },
    ]);
  });

  test("two secrets on one line are two findings, each with both masked", () => {
    const found = findSecrets(`a=ghp_${random.slice(0, 36)} b=glpat-${random.slice(0, 20)}`);
    expect(found.map((finding) => finding.kind)).toEqual(["GitHub token", "GitLab token"]);
    expect(new Set(found.map((finding) => finding.excerptRedacted))).toEqual(new Set(["a=[redacted] b=[redacted]"]));
  });
});

test.each([
  ["in base64", (text: string) => Buffer.from(text).toString("base64")],
  ["in hexadecimal", (text: string) => Buffer.from(text).toString("hex")],
  ["between zero-width joiners", (text: string) => Array.from(text).join("\u200d")],
  ["behind a name and an underscore", (text: string) => `MY_${text}`],
  ["between hyphens", (text: string) => `old-${text}-prod`],
  ["before an underscore", (text: string) => `${text}_2`],
  ["in wide letters", (text: string) => wide(text)],
  ["in wide letters written as references", (text: string) => references(wide(text))],
  [
    "in letters of mathematics",
    (text: string) => text.replaceAll(/[a-z]/g, (each) => String.fromCodePoint(0x1d41a + each.charCodeAt(0) - 97)),
  ],
  ["split by emphasis", (text: string) => split(text, "**")],
  ["split by code", (text: string) => split(text, "``")],
  ["split by a comment", (text: string) => split(text, "<!-- **no**\n `key` -->")],
  ["split by an empty comment", (text: string) => split(text, "<!-->")],
  ["split by a comment of MDX", (text: string) => split(text, "{/* no key */}")],
  ["split by elements", (text: string) => split(text, '<b title=">">')],
  ["split by links", (text: string) => split(text, "](https://e.invalid)[")],
  ["split by an expression", (text: string) => `${split(text, '{"')}"}`],
  ["put together by code", (text: string) => split(text, '" + "')],
  ["split by references of what nobody sees", (text: string) => split(text, "&NoBreak;")],
  ["with a reference in it", (text: string) => text.replaceAll("_", "&lowbar;")],
  ["with escapes of Markdown", (text: string) => text.replaceAll("_", "\\_")],
  ["in base64 of base64 beside an ampersand", (text: string) => `a &amp; b ${base64(base64(text))}`],
  ["with a word of show at its end", (text: string) => `${text}example`],
  ["with a word of show and more at its end", (text: string) => `${text}xxxxPASSWORD`],
])("finds a key of well-known shape %s", (_, written) => {
  const key = `sk_live_${random.slice(0, 32)}`;
  expect(findSecrets(`Key: ${written(key)}.`)).toMatchObject([{ kind: "Stripe key" }]);
});

test.each([
  ["URL", "https://ada:T4kelage@git.harbor.dev/x.git"],
  ["URL", "postgres://app:kestrel@db.internal:5432/app"],
  ["URL", "postgres://app:T4kelage-2026x@localhost/app"],
  ["URL", "redis://:9fKq@cache.harbor.dev"],
  ["URL", "https://ada:T4k:el@ge@git.harbor.dev/"],
  ["URL", "[clone](https://ada:T4kelage@git.harbor.dev)"],
  ["URL", "mongodb+srv://ada:p%40ge-71@cluster0.mongodb.net"],
  ["connection string", "Server=db.harbor.dev;Database=docs;User Id=app;Password=T4kelage;"],
  ["connection string", "jdbc:postgresql://db.harbor.dev/docs?user=app&password=T4kelage"],
  ["connection string", "host=db.harbor.dev user=app password=kestrel7 dbname=docs"],
  ["URL", "https://ada:T4k**elage**@git.harbor.dev"],
])("finds and masks a short password in a %s: %s", (place, text) => {
  expect(findSecrets(`See ${text} there.`)).toMatchObject([{ kind: `password in a ${place}` }]);
  expect(findSecrets(text)[0]!.excerptRedacted).not.toMatch(/T4k|kestrel|9fKq|ge-71/);
});

test("two keys that mask to the same line differ in their digests", () => {
  const digests = [random.slice(0, 36), random.slice(8, 44)].map((end) => findSecrets(`ghp_${end}`)[0]!.digests);
  expect(digests[0]).not.toEqual(digests[1]);
});

test("masking a key over several lines does not move the lines after it", () => {
  const text = `a\n-----BEGIN PRIVATE KEY-----\n${random}\n${random}\n-----END PRIVATE KEY-----\nlast`;
  const masked = redact(text);
  expect(masked).not.toContain(random.slice(0, 20));
  expect(masked.split("\n")).toHaveLength(6);
  expect(masked.split("\n")[5]).toBe("last");
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
    "https://user:pw@host/ and https://user:pass@example.com and https://<user>:<password>@host",
    "redis://:$REDIS_PASSWORD@cache:6379, amqp://guest:guest@mq, mysql://root:root@db, postgres://postgres:postgres@db",
    "postgres://docs:docs123@db and postgres://app:kestrel@localhost and https://ada:kestrel@docs.example.com/x",
    "postgres://user:${PASSWORD}@db, mongodb://admin:your-password1@mongo, https://me:xxxxx@github.com, https://a:%s@b.dev",
    "Server=db;Database=docs;User Id=sa;Password=yourStrong(!)Password;",
    "psql 'host=localhost user=app password=kestrel7'",
    'curl -d "user=ada&password=lovelace1815" https://api.harbor.dev/login, password=kestrel in a sentence',
    "git@github.com:acme/docs.git, https://host:8080, see [x](https://harbor.dev:8080) and [y](mailto:a@b.dev)",
    "https://cdn.jsdelivr.net/npm/vue@3:x and http://[::1]:8080/@x and npm:@scope/name@1.2.3",
    "<task-management-board-With-1-very-long-name-that-goes-on-and-on-and-on-and-on>",
    "See http://localhost:4000/a:b/c@v2 and mailto:someone@docs.test",
  ])("%s", (text) => {
    expect(findSecrets(text)).toEqual([]);
    expect(redact(text)).toBe(text);
  });
});

describe("known secrets", () => {
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
    ["in base64 right behind other letters", `Key${Buffer.from(password).toString("base64")}`],
    ["in upper-case hexadecimal", Buffer.from(password).toString("hex").toUpperCase()],
    ["in base64 of base64", Buffer.from(Buffer.from(`a${password}`).toString("base64")).toString("base64")],
    ["in hexadecimal of base64", Buffer.from(Buffer.from(password).toString("base64")).toString("hex")],
    ["between zero-width spaces", Array.from(password).join("\u200b")],
    ["between soft hyphens written as references", Array.from(password).join("&shy;")],
    [
      "in decimal references",
      Array.from(password)
        .map((each) => `&#${each.codePointAt(0)};`)
        .join(""),
    ],
    [
      "in hexadecimal references",
      Array.from(password)
        .map((each) => `&#x${each.codePointAt(0)!.toString(16)};`)
        .join(""),
    ],
    [
      "in JavaScript's escapes",
      Array.from(password)
        .map((each) => `\\u{${each.codePointAt(0)!.toString(16)}}`)
        .join(""),
    ],
    [
      "in JSON's escapes",
      Array.from(password)
        .map((each) => `\\u${each.codePointAt(0)!.toString(16).padStart(4, "0")}`)
        .join(""),
    ],
    ["in JSON within JSON", JSON.stringify(JSON.stringify({ password }))],
    ["percent-encoded letter by letter", [...Buffer.from(password)].map((each) => `%${each.toString(16)}`).join("")],
  ])("are found %s", (_, text) => {
    expect(scanner.findSecrets(`x ${text} y`)).toMatchObject([{ kind: "configured secret" }]);
    expect(scanner.redact(`x ${text} y`)).toContain("[redacted]");
  });

  test.each([
    ["split over two texts that are joined", `"hunter2friends" + "fuerimmer2026"`],
    ["with blanks between", Array.from("hunter2friendsfuerimmer2026").join(" ")],
    ["from the end", Array.from("hunter2-friends-fuer-immer-2026").reverse().join("")],
  ])("are found %s, and the text stays readable", (_, text) => {
    const scanner = createSecretScanner([new Secret("hunter2-friends-fuer-immer-2026")]);
    expect(scanner.findSecrets(`x ${text} y`)).toMatchObject([{ kind: "configured secret" }]);
    expect(scanner.redact(text)).toBe(text);
  });

  test("have one digest in every encoding", () => {
    const forms = [password, encodeURIComponent(password), Buffer.from(password).toString("base64")];
    const digests = forms.flatMap((form) => scanner.findSecrets(form).flatMap((finding) => finding.digests));
    expect(new Set(digests).size).toBe(1);
  });

  test("are never masked when they are shorter than eight characters", () => {
    expect(scanner.redact("a short text")).toBe("a short text");
  });

  test("are found in base64 whatever the surrounding text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.string({ maxLength: 40 }), (before, after) => {
        const encoded = Buffer.from(before + password + after).toString("base64");
        expect(scanner.findSecrets(encoded).length).toBeGreaterThan(0);
      }),
    );
  });
});

test("JSON that is masked as a whole stays valid JSON", () => {
  const secret = fc.constantFrom(...credentials.map(([, text]) => text));
  const noise = fc.string({ unit: fc.constantFrom('"', "\\", "\n", "a", "-", "@", " "), maxLength: 6 });
  fc.assert(
    fc.property(noise, secret, noise, (before, text, after) => {
      const json = JSON.stringify({ value: before + text + after });
      expect(() => JSON.parse(redact(json)) as unknown).not.toThrow();
    }),
    { numRuns: LONG_TESTS ? 2_000 : 500 },
  );
});

test.each([
  ["starts of tokens", "eyJaaaaaaaaaaaa-", false],
  ["starts of keys", "-----BEGIN PRIVATE KEY-----AAAA", false],
  ["schemes", "a.b+c-d://", false],
  ["one endless word", "aws_secret_", false],
  ["base64 that holds nothing", "QUJDREVGR0hJSktMTU5PUA", false],
  ["escapes", "a&amp;b \\n %41", false],
  ["comments without an end", "<!-- {/* ", false],
  ["tags without an end", "<a ]( ", false],
  ["tags", "<a b='c'>**`x`**", false],
  ["passwords", "a://b:", false],
  ["passwords without a host", "ab://b:c@ ", false],
  ["passwords in words", "password=a host= ", false],
  ["wide letters", "\uff21\uff22", false],
  ["findings", `ghp_${random.slice(0, 36)}\n`, true],
  ["findings on one line", `ghp_${random.slice(0, 36)} `, true],
])("scans a long text of %s to the end", (_, unit, isFinding) => {
  const count = Math.ceil((LONG_TESTS ? 2_000_000 : 500_000) / unit.length);
  expect(findSecrets(unit.repeat(count))).toHaveLength(isFinding ? count : 0);
});
