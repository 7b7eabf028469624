import { html as template, raw } from "hono/html";

/** HTML that may be put into a page as it is. */
export type Html = ReturnType<typeof raw>;

/** A template whose values are escaped, unless they are `Html`. Nothing in the theme is asynchronous. */
export function html(strings: TemplateStringsArray, ...values: unknown[]): Html {
  return template(strings, ...values) as Html;
}

export { raw };
