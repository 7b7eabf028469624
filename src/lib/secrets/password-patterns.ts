import { isPlaceholder, type SecretPattern } from "./secret-patterns.ts";

// A password this long counts in any context; the hosts of examples have shorter ones.
const LONG = 12;
const AROUND = 200;

/** Passwords have no shape of their own, so their context identifies them. */
export const passwordPatterns: readonly SecretPattern[] = [
  {
    kind: "password in a URL",
    expression:
      /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/(?<user>[^\s:@/?#"'<>]{0,100}):(?<secret>[^\s/?#"'`<>[\]]{1,200})@(?=(?<host>[^\s/?#"'`<>()]{1,100}))/g,
    isShown: ({ groups: { user = "", secret = "", host = "" } = {} }) =>
      isShownPassword(secret, user) || (secret.length < LONG && OF_EXAMPLES.test(`@${host}`)),
  },
  {
    kind: "password in a connection string",
    expression: /(?<![A-Za-z0-9_])(?:password|pwd)\s?=\s?(?<secret>[^\s;&,"'`<>()[\]\\]{1,200})/gi,
    isShown: ({ groups: { secret = "" } = {}, index, input }) => {
      const around = input.slice(Math.max(0, index - AROUND), index + AROUND);
      return !CONNECTION.test(around) || isShownPassword(secret, "") || OF_EXAMPLES.test(around);
    },
  },
];

// Context next to it that neither a form nor a sentence has.
const CONNECTION =
  /(?<![A-Za-z])(?:(?:server|host|hostaddr|data source|dbname|database|initial catalog)\s?=|(?:jdbc|odbc|postgres(?:ql)?|mysql|mariadb|mongodb|sqlserver):)/i;
const OF_EXAMPLES =
  /[@=/.](?:localhost|127\.0\.0\.1|0\.0\.0\.0|host(?:name)?|example|test|invalid|example\.(?:com|net|org))(?![\w.-]|\s?=)/i;

// `$PASSWORD`, `{{pw}}`, `%s`, `<yours>`, `…`
const TEMPLATE = /^(?:\$[A-Za-z_{(]|\{|<|\[|%\w+%?$)|\*{3}|\.{3}|x{3}|…|•/i;
// Placeholder words, combined or with a few digits: `your-password1`.
const WORDS =
  /pass(?:word|wd|phrase|wort|code)?|pwd?|pw|secret|token|api|key|user(?:name)?|admin(?:istrator)?|root|guest|test|demo|dummy|example|sample|change(?:me|it|this)?|insert|your?|my|the|some|here|strong|secure|super|very|new|old|value|default|docker|postgres(?:ql)?|mysql|maria|mongo|redis|rabbit|elastic|docs?|app|db|database|foo|bar|baz|qux|abc|qwerty|letmein|hunter2|string|text|hidden|private|redacted/gi;
const COUNTING = /^(?:0?1(?:2(?:3(?:4(?:5(?:6(?:7(?:8(?:90?)?)?)?)?)?)?)?)?|\d?)$/;

function isShownPassword(password: string, user: string): boolean {
  if (TEMPLATE.test(password) || password.toLowerCase() === user.toLowerCase()) return true;
  if (new Set(password).size < 3) return true;
  if (password.length >= LONG && isPlaceholder(password)) return true;
  return COUNTING.test(password.replaceAll(WORDS, "").replaceAll(/[^\p{L}\p{N}]/gu, ""));
}
