import type { Context } from "hono";

/** The fields of a form as entered, with `\n` line ends; an absent field is empty. */
export async function formFields(c: Context): Promise<(name: string) => string> {
  const isUpload = (c.req.header("content-type") ?? "").startsWith("multipart/");
  const fields = isUpload ? await textsIn(c) : new URLSearchParams(await c.req.text());
  // Browsers send the line breaks of a text area as CRLF.
  return (name) => (fields.get(name) ?? "").replaceAll("\r\n", "\n");
}

/** The fields of a form with files, without the files. */
async function textsIn(c: Context): Promise<URLSearchParams> {
  const form = await c.req.formData().catch(() => new FormData());
  const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return new URLSearchParams(texts);
}
