import type { Context } from "hono";
import type { OperatorSession } from "./operator-pass.ts";
import { isSameSecret } from "#lib/secrets/secret.ts";
import { type ProblemPage, sendForbidden, sendProblem } from "#kit/pages/problem-page.ts";

export interface OperatorAccessDeps {
  operators: {
    admit(pass: string): string | null;
    read(request: Request): OperatorSession | null;
  };
}

export type OpenedOperator =
  | { operator: OperatorSession; answer?: never }
  | { operator?: never; answer: Response | Promise<Response> };

export type OpenedOperatorForm =
  | { operator: OperatorSession; field(name: string): string; answer?: never }
  | Extract<OpenedOperator, { operator?: never }>;

const NOBODY: ProblemPage = {
  status: 401,
  title: "This page is for whoever runs the server",
  text: [
    "Run `docent admin` on the server, with the data directory that it runs with, and open the address that it prints in this browser.",
    "The address is good for an hour, and the browser for twelve.",
  ],
};

/** Lets in who came by a link of `docent admin`. */
export function createOperatorAccess({ operators }: OperatorAccessDeps) {
  const open = (c: Context): OpenedOperator => {
    const operator = operators.read(c.req.raw);
    return operator ? { operator } : { answer: sendProblem(c, NOBODY) };
  };
  return {
    open,
    /** For a form that was sent; it must carry the token that only the session's own pages know. */
    async openForm(c: Context): Promise<OpenedOperatorForm> {
      const opened = open(c);
      if (opened.answer) return opened;
      const fields = new URLSearchParams(await c.req.text());
      const field = (name: string) => (fields.get(name) ?? "").trim();
      return isSameSecret(field("csrf"), opened.operator.csrfToken)
        ? { ...opened, field }
        : { answer: sendForbidden(c) };
    },
    /** Turns the pass of a link into a session, and leads to the page without it. */
    enter(c: Context, to: string): Response | Promise<Response> {
      const cookie = operators.admit(c.req.query("pass") ?? "");
      if (cookie === null) return sendProblem(c, NOBODY);
      c.header("Set-Cookie", cookie);
      return c.redirect(to, 303);
    },
  };
}

export type OperatorAccess = ReturnType<typeof createOperatorAccess>;
