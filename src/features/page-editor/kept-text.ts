import type { Context } from "hono";
import type { HttpContext } from "#kit/http/context.ts";
import { answerTo } from "#kit/http/send-error.ts";
import { dashboardDocument } from "#kit/pages/document.ts";
import { formFields } from "#kit/pages/form-fields.ts";
import { html } from "#kit/pages/markup.ts";
import { type PageStatus, sendPage } from "#kit/pages/send-page.ts";

/** What went wrong on the server, logged, for its author; the response gets its headers. */
export function failureOf(c: Context, error: unknown): { status: PageStatus; problem: string } {
  const { status, headers, body } = answerTo(c as HttpContext, error);
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  const id = `Request id ${body.requestId}, for your administrator.`;
  return { status, problem: `${body.error} Your text is below: send it again in a moment, or copy it first. ${id}` };
}

/** The text of a form that could not be read further: neither the session nor the repository may be readable. */
export async function sendKeptText(c: Context, error: unknown): Promise<Response> {
  const { status, problem } = failureOf(c, error);
  const field = await formFields(c);
  const title = "The text was not saved";
  const body = html`<h1>${title}</h1>
    <p class="problem">${problem}</p>
    <p>To send it again, reload this page and confirm that the form is sent again.</p>
    <textarea rows="30" cols="100" aria-label="Your text" readonly>${field("text")}</textarea>`;
  return sendPage(c, dashboardDocument({ title: `${title} · Docent`, place: null, reader: "stranger", body }), {
    status,
  });
}
