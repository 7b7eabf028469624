import { html as template, raw } from "hono/html";

/** HTML that is safe to insert into a page. */
export type Html = ReturnType<typeof raw>;

/** A template whose values are escaped, unless they are `Html`. Nothing in the theme is asynchronous. */
export function html(strings: TemplateStringsArray, ...values: unknown[]): Html {
  return template(strings, ...values) as Html;
}

/** A text of the interface with HTML inserted for its `{name}`s. */
export function filled(text: string, values: Readonly<Record<string, Html | string>>): Html {
  return html`${text.split(/(\{[a-z]+\})/).map((part) => (part.startsWith("{") ? (values[part.slice(1, -1)] ?? part) : part))}`;
}

export { raw };
