import { listedTokens } from "./listed-tokens.ts";

/**
 * The shape of a well-known kind of credential. The secret is the group named `secret`, or the first group, or else the
 * whole match.
 */
export interface SecretPattern {
  kind: string;
  expression: RegExp;
  /** Whether a match is a placeholder; by default decided by `isPlaceholder`. */
  isShown?: (match: RegExpExecArray) => boolean;
}

// No match ends inside an escape of JSON, so that JSON stays JSON when it is masked as a whole. Every expression starts
// at a literal that cannot occur inside its own run of characters, or is bounded: hostile text of any size is scanned
// in linear time. Adjacent `_` and `-` may belong to a name around it.
const START = "(?<![A-Za-z0-9])";
const END = "(?![A-Za-z0-9])";
// A digit and a capital must follow: that distinguishes keys from long class names and slugs.
const MIXED = "(?=[A-Za-z0-9_-]{0,299}\\d)(?=[A-Za-z0-9_-]{0,299}[A-Z])";

function token(kind: string, source: string): SecretPattern {
  return { kind, expression: new RegExp(`${START}(?:${source})${END}`, "g") };
}

function group(kind: string, expression: RegExp): SecretPattern {
  return { kind, expression };
}

/** Formats as published by their issuers or seen in the rules of secret scanners; checked November 2026. */
export const secretPatterns: readonly SecretPattern[] = [
  token("GitHub token", "gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
  token("GitLab token", "gl(?:pat|dt|rt|cbt|ptt|ft|soat|oas|imt|agent)-[A-Za-z0-9_.-]{20,300}"),
  token("AWS access key", "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
  group(
    "AWS secret key",
    /aws[\w-]{0,20}secret[\w-]{0,20}["']?\s{0,4}[:=]\s{0,4}["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  ),
  token("Anthropic key", "sk-ant-[a-z]{2,6}\\d{2}-[A-Za-z0-9_-]{32,300}"),
  token("OpenAI key", `sk-(?!ant-)${MIXED}[A-Za-z0-9_-]{40,300}`),
  token("Google API key", "AIza[A-Za-z0-9_-]{35}|AQ\\.Ab[A-Za-z0-9_-]{40,200}"),
  token("Google OAuth secret", "GOCSPX-[A-Za-z0-9_-]{28}|ya29\\.[A-Za-z0-9_-]{40,500}"),
  token("Slack token", "xox[abeoprs]-[A-Za-z0-9-]{20,300}|xapp-\\d-[A-Za-z0-9-]{30,300}"),
  group(
    "Slack webhook",
    /https:\/\/hooks\.slack\.com\/services\/T[A-Z0-9]{6,14}\/B[A-Z0-9]{6,14}\/([A-Za-z0-9]{20,30})/g,
  ),
  token("Stripe key", "(?:sk|rk)_live_[A-Za-z0-9]{20,250}"),
  token("webhook secret", "whsec_[A-Za-z0-9+/]{24,100}={0,2}"),
  token("npm token", "npm_[A-Za-z0-9]{36}"),
  token("PyPI token", "pypi-AgE[A-Za-z0-9_-]{50,1000}"),
  token("RubyGems key", "rubygems_[a-f0-9]{48}"),
  token("DigitalOcean token", "do[opr]_v1_[a-f0-9]{64}"),
  group("Azure account key", /AccountKey=([A-Za-z0-9+/]{86}==)/g),
  token("Azure client secret", "[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}"),
  token("Atlassian token", "ATATT3[A-Za-z0-9_=-]{180,300}"),
  token("Sentry token", "sntry[su]_[A-Za-z0-9+/=_-]{60,300}"),
  token("Netlify token", "nfp_[A-Za-z0-9]{36}"),
  token("Supabase token", "sbp_[a-f0-9]{40}"),
  token("New Relic key", "NRAK-[A-Z0-9]{27}"),
  ...listedTokens.map(([kind, source]) => token(kind, source)),
  token("Docent key", "docent_[A-Za-z0-9]{30,80}"),
  token("JSON Web Token", "eyJ[A-Za-z0-9_-]{10,1000}\\.eyJ[A-Za-z0-9_-]{10,4000}\\.[A-Za-z0-9_-]{20,1000}"),
  group(
    "private key",
    /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----((?:[A-Za-z0-9+/=\s:,]|\\(?=[nrt])|-(?!-)){64,20000})(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?/g,
  ),
];

const PLACEHOLDER =
  /x{4}|X{4}|\*{3}|\.{3}|0{6}|example|placeholder|redacted|your[-_]|your(?:api|key|token|secret)|changeme|password|dummy|[<>${}]/i;
const SEQUENCES = ["0123456789", "1234567890", "abcdefghij", "qwertyuiop"];
// The sample on jwt.io, copied into every second page about tokens: {"sub":"1234567890",...
const JWT_SAMPLE = "eyJzdWIiOiIxMjM0NTY3ODkwI";

// The sample of AWS's own documentation: random except for its end.
const AWS_SAMPLE = "wJalrXUtnFEMI/K7MDENG/bPxRfiCY";

/**
 * Whether a text in the shape of a credential is a placeholder: `sk-xxxx`, `AKIAIOSFODNN7EXAMPLE`, counting digits.
 * Random text of the lengths above is misjudged less than once in a million. A placeholder word in a text that is
 * random without it does not count.
 */
export function isPlaceholder(text: string): boolean {
  const lower = text.toLowerCase();
  if (text.includes(JWT_SAMPLE) || text.startsWith(AWS_SAMPLE)) return true;
  if (PLACEHOLDER.test(text) && !isRandom(text.replaceAll(EVERY_PLACEHOLDER, ""))) return true;
  if (SEQUENCES.some((sequence) => lower.includes(sequence))) return true;
  return bitsPerCharacter(text) < 2.9;
}

const EVERY_PLACEHOLDER = new RegExp(PLACEHOLDER, "gi");

function isRandom(text: string): boolean {
  const count = (characters: RegExp) => text.match(characters)?.length ?? 0;
  return (
    text.length >= 24 &&
    count(/\d/g) >= 2 &&
    count(/[A-Z]/g) >= 2 &&
    count(/[a-z]/g) >= 2 &&
    bitsPerCharacter(text) >= 3.8
  );
}

function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
