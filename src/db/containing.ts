import { type RawBuilder, sql } from "kysely";

const literal = (text: string) => text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`);

/** Whether a column contains a text, ignoring the case of ASCII letters, on both engines. */
export const containing = (column: string, text: string): RawBuilder<boolean> =>
  sql`lower(${sql.ref(column)}) like ${`%${literal(text)}%`} escape '\\'`;

/** Whether a column starts with a text. */
export const beginningWith = (column: string, text: string): RawBuilder<boolean> =>
  sql`lower(${sql.ref(column)}) like ${`${literal(text)}%`} escape '\\'`;
