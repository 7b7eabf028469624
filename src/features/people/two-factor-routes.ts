import { Hono } from "hono";
import { hasPassword, type Person } from "#features/accounts/people.ts";
import {
  beginTwoFactor,
  findTwoFactor,
  renewRecoveryCodes,
  resumeTwoFactor,
  turnOffTwoFactor,
  turnOnTwoFactor,
} from "#features/accounts/two-factor.ts";
import type { PersonAccess, PersonReader } from "#features/keys/person-access.ts";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { PersonId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { clientOf } from "#kit/pages/client-of.ts";
import { limitedForm, sendPage } from "#kit/pages/send-page.ts";
import { TWO_FACTOR_PATH, twoFactorPage, type TwoFactorPage } from "./two-factor-page.ts";

export interface TwoFactorRoutesDeps {
  database: Database;
  clock: Clock;
  vault: KeyVault;
  baseUrl(): string;
  personAccess: PersonAccess;
  checkPassword(given: { email: string; password: string; address: string }): Promise<Person | null>;
  checkCode(id: PersonId, given: { code: string; address: string }): Promise<boolean>;
}

const MAX_FORM_BYTES = 4_096;

/** `/-/account/two-factor`: codes of an authenticator app as a second factor. */
export function createTwoFactorRoutes(deps: TwoFactorRoutesDeps): Hono {
  const { personAccess, database } = deps;
  const routes = new Hono();
  const host = () => new URL(deps.baseUrl()).host;

  const view = ({ session, person, instance }: PersonReader, page: Pick<TwoFactorPage, "state" | "problem">) =>
    twoFactorPage({ instance: instance("account"), csrfToken: session.csrfToken, email: person.email, ...page });

  /** `sealed`: the secret in a resubmitted form, so that the entry in the app stays valid. */
  async function stateOf(person: Person, sealed = ""): Promise<TwoFactorPage["state"]> {
    const found = await findTwoFactor(database.kysely, person.id);
    if (found) return { kind: "on", ...found };
    if (!(await hasPassword(database.kysely, person.id))) return { kind: "none" };
    if (sealed === "") return { kind: "off", setup: beginTwoFactor(deps, person, host()) };
    return { kind: "off", setup: resumeTwoFactor(deps, sealed, { person, host: host() }) };
  }

  routes.get(TWO_FACTOR_PATH, async (c) => {
    const opened = await personAccess.open(c);
    if (opened.answer) return opened.answer;
    return sendPage(c, view(opened, { state: await stateOf(opened.person), problem: null }), { isSecret: true });
  });

  routes.post(`${TWO_FACTOR_PATH}/:change{on|off|codes}`, limitedForm(MAX_FORM_BYTES), async (c) => {
    const opened = await personAccess.openForm(c);
    if (opened.answer) return opened.answer;
    const { person, field } = opened;
    const given = { code: field("code").slice(0, 100), address: clientOf(c) };
    const change = c.req.param("change");
    try {
      let codes: string[];
      const password = { email: person.email, password: field("password"), address: given.address };
      if (change === "on" && (await stateOf(person)).kind === "none")
        throw new AppError("invalid", "Your account has no password.");
      // Codes on another phone would lock the person out, so a hijacked session must not be able to turn them on. Checked
      // before the code, because checking a code uses it up.
      if (change !== "codes" && (await deps.checkPassword(password)) === null)
        throw new AppError("invalid", "The password is wrong.");
      if (change === "on") {
        codes = await turnOnTwoFactor(deps, person.id, { sealed: field("sealed"), code: given.code });
      } else {
        if (!(await deps.checkCode(person.id, given))) {
          throw new AppError("invalid", "The code is wrong, or was used before. Wait for the app's next code.");
        }
        if (change === "off") {
          await turnOffTwoFactor(database, person.id);
          return c.redirect("/-/account?done=two-factor", 303);
        }
        codes = await renewRecoveryCodes(deps, person.id);
      }
      const page = view(opened, { state: { kind: "codes", codes }, problem: null });
      return sendPage(c, page, { status: 201, isSecret: true });
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "internal") throw error;
      const sealed = change === "on" ? field("sealed") : "";
      const state = await stateOf(person, sealed).catch(() => stateOf(person));
      const status = error.code === "rate_limited" ? 429 : 400;
      return sendPage(c, view(opened, { state, problem: error.message }), { status, isSecret: true });
    }
  });
  return routes;
}
