import { withoutInvisible } from "#lib/invisible-text.ts";

/** A text as the model sees it: without credentials and invisible characters. */
export function textForModel(text: string, redact: (text: string) => string): string {
  return redact(withoutInvisible(text).text);
}

/** Applies the same to every text in a tool's result. */
export function valueForModel(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return textForModel(value, redact);
  if (Array.isArray(value)) return value.map((item) => valueForModel(item, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [textForModel(key, redact), valueForModel(item, redact)]),
  );
}
