import { html as template, raw } from "hono/html";

/** HTML that may be put into a page as it is. */
export type Html = ReturnType<typeof raw>;

/** A template whose values are escaped, unless they are `Html`. Nothing in the theme is asynchronous. */
export function html(strings: TemplateStringsArray, ...values: unknown[]): Html {
  return template(strings, ...values) as Html;
}

/** A text of the interface with HTML in place of its `{name}`s. */
export function filled(text: string, values: Readonly<Record<string, Html | string>>): Html {
  return html`${text.split(/(\{[a-z]+\})/).map((part) => (part.startsWith("{") ? (values[part.slice(1, -1)] ?? part) : part))}`;
}

export { raw };
