import type { Context } from "hono";
import { noteDoer } from "./actor.ts";
import { isInstanceAdmin } from "./holder.ts";
import type { OperatorSession } from "./operator-pass.ts";
import type { Session } from "./sessions.ts";
import { clientOf } from "#kit/pages/client-of.ts";
import { isSameSecret } from "#lib/secrets/secret.ts";
import { formFields } from "#kit/pages/form-fields.ts";
import { type ProblemPage, sendForbidden, sendProblem } from "#kit/pages/problem-page.ts";

export interface OperatorAccessDeps {
  operators: {
    admit(pass: string, instance: { hasOwner: boolean }): string | null;
    end(): string;
    read(request: Request): OperatorSession | null;
  };
  session: { read(request: Request, from: string): Promise<Session | null> };
}

export type OpenedOperator =
  | { operator: OperatorSession; session: Session | null; answer?: never }
  | { operator?: never; answer: Response | Promise<Response> };

export type OpenedOperatorForm =
  | { operator: OperatorSession; session: Session | null; field(name: string): string; answer?: never }
  | Extract<OpenedOperator, { operator?: never }>;

/** Page on which an owner creates an account. */
export const SETUP_PATH = "/-/setup";

const NOBODY: ProblemPage = {
  status: 401,
  title: "This page is for owners of the server",
  text: [
    "Sign in with an owner's account, if there is one.",
    "Otherwise run `docent admin` on the server, with the data directory that it runs with, and open the address that it prints in this browser.",
    "The link expires in an hour. This browser then stays signed in for 12 hours.",
  ],
};

/** Authenticates owners of the instance, and visitors with a link of `docent admin`. */
export function createOperatorAccess({ operators, session: sessions }: OperatorAccessDeps) {
  const open = async (c: Context): Promise<OpenedOperator> => {
    const session = await sessions.read(c.req.raw, clientOf(c));
    const operator = session !== null && isInstanceAdmin(session) ? session : operators.read(c.req.raw);
    if (operator === null) return { answer: sendProblem(c, NOBODY) };
    noteDoer(c, { doer: operator === session ? session : { operator: true }, projectId: null });
    return { operator, session: operator === session ? session : null };
  };
  return {
    open,
    /** `Set-Cookie` value that ends the operator session in this browser. */
    end: () => operators.end(),
    /** For submitted forms, which must contain the CSRF token of the session. */
    async openForm(c: Context): Promise<OpenedOperatorForm> {
      const opened = await open(c);
      if (opened.answer) return opened;
      const field = await formFields(c);
      return isSameSecret(field("csrf"), opened.operator.csrfToken)
        ? { ...opened, field }
        : { answer: sendForbidden(c) };
    },
    /** Exchanges the pass in a link for a session, and redirects to the page without it. */
    async enter(c: Context, { to, hasOwner }: { to: string; hasOwner: boolean }): Promise<Response> {
      const cookie = operators.admit(c.req.query("pass") ?? "", { hasOwner });
      if (cookie === null) return sendProblem(c, NOBODY);
      c.header("Set-Cookie", cookie);
      return c.redirect(to, 303);
    },
  };
}

export type OperatorAccess = ReturnType<typeof createOperatorAccess>;
