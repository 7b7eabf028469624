import type { Context } from "hono";

/** The fields of a form as they were entered, with `\n` at line ends; one that is absent is empty. */
export async function formFields(c: Context): Promise<(name: string) => string> {
  const fields = new URLSearchParams(await c.req.text());
  // Browsers send the line breaks of a text area as CRLF.
  return (name) => (fields.get(name) ?? "").replaceAll("\r\n", "\n");
}
