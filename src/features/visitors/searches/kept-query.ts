import { findSecrets } from "#lib/secrets/secret-scan.ts";

const MAX_LENGTH = 100;
const EMAIL = /[^\s@]@[^\s@]/;
/** Numbers of telephones, cards, accounts and people; addresses of machines. */
const LONG_NUMBER = /(?:\d[\s./:-]?){7,}/;
/** Tokens without a form of their own: long, without a blank, letters and digits mixed. */
const TOKEN = /(?=\S*\d)(?=\S*[a-z])[\w+/=-]{24,}/i;

/** A query as reports show it; "" for one that may say who wrote it, or what is nobody else's: it is only counted. */
export function keptQuery(query: string): string {
  const text = query.normalize("NFC").replaceAll(/\s+/g, " ").trim();
  if (text.length > MAX_LENGTH || EMAIL.test(text) || LONG_NUMBER.test(text) || TOKEN.test(text)) return "";
  if (text.includes("\0") || findSecrets(text).length > 0) return "";
  return text.toLowerCase();
}
