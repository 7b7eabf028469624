import { renderSVG } from "uqr";
import { RECOVERY_CODES, type TwoFactorSetup } from "#features/accounts/two-factor.ts";
import { copyable } from "#kit/pages/copyable.ts";
import { dashboardDocument, type InstancePlace } from "#kit/pages/document.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { formStart, problemNote } from "#kit/pages/post-form.ts";

export interface TwoFactorPage {
  instance: InstancePlace;
  csrfToken: string;
  email: string;
  /**
   * `off`: with a secret to confirm in the app; `on`; `codes`: new recovery codes, which are shown only once; `none`:
   * an account without a password.
   */
  state:
    | { kind: "off"; setup: TwoFactorSetup }
    | { kind: "on"; recoveryCodesLeft: number }
    | { kind: "codes"; codes: readonly string[] }
    | { kind: "none" };
  problem: string | null;
}

export const TWO_FACTOR_PATH = "/-/account/two-factor";

/** Two-factor settings of a person: set up, renew recovery codes, turn off. */
export function twoFactorPage(page: TwoFactorPage): Html {
  return dashboardDocument({
    title: "Two-factor codes · Docent",
    place: null,
    instance: page.instance,
    reader: "member",
    body: html`<p><a href="/-/account">Your account</a></p>
      <div class="heading"><h1>Two-factor codes</h1></div>
      ${problemNote(page.problem)} ${content(page)}`,
  });
}

function content(page: TwoFactorPage): Html {
  const { state, email } = page;
  switch (state.kind) {
    case "none":
      return html`<p>
        Your account has no password: your identity provider signs you in, and asks for codes if it is set up to. There is nothing to do here.
      </p>`;
    case "off":
      return html`<p class="muted lead">After your password, sign-in asks for a code from an app on your phone. Someone who learns the password cannot sign in with it alone.</p>
        ${formStart(`${TWO_FACTOR_PATH}/on`, page.csrfToken, "form panel")}<input type="hidden" name="sealed" value="${state.setup.sealed}" />
          <h2>Scan the code</h2>
          <p>Scan it with an authenticator app, such as 1Password, Aegis, Google Authenticator or the Passwords app of your device.</p>
          <div class="qr" role="img" aria-label="QR code for the authenticator app; the key below is the same">${raw(renderSVG(state.setup.address, { border: 2 }))}</div>
          <p>Without a camera, enter this key in the app: ${copyable("secret", state.setup.secret)}</p>
          <input name="username" autocomplete="username" value="${email}" hidden />
          <div class="row">
            <label>Your password <input name="password" type="password" autocomplete="current-password" required maxlength="200" /></label>
            <label class="medium">Code that the app shows <input name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="12" /></label>
            <button class="button primary">Turn on</button>
          </div>
        </form>`;
    case "codes": {
      const list = state.codes.join("\n");
      const file = `Docent recovery codes of ${email}. Each works once in place of a two-factor code.\n\n${list}\n`;
      return html`<section class="new-key" role="status">
          <h2>Save your recovery codes now</h2>
          <p>They are not shown again. Each signs you in once in place of a code, for when you do not have your phone.</p>
          <pre id="codes"><code>${list}</code></pre>
          <p>
            <a class="button" download="docent-recovery-codes.txt" href="data:text/plain;charset=utf-8,${encodeURIComponent(file)}">Download</a>
            <button type="button" class="button copy" data-copy="codes" hidden>Copy</button>
          </p>
        </section>
        <p><a class="button primary" href="/-/account">I saved them</a></p>`;
    }
    case "on":
      return html`<p><span class="lamp good" aria-hidden="true"></span> On. ${state.recoveryCodesLeft} of ${RECOVERY_CODES} recovery codes are left.</p>
        ${formStart(`${TWO_FACTOR_PATH}/codes`, page.csrfToken, "form panel")}
          <h2>New recovery codes</h2>
          <div class="row">
            <label>Code <input name="code" autocomplete="one-time-code" required maxlength="20" /></label>
            <button class="button">Create new codes</button>
          </div>
          <small>The codes that you have now stop working.</small>
        </form>
        ${formStart(`${TWO_FACTOR_PATH}/off`, page.csrfToken, "form block panel")}
          <h2>Turn off</h2>
          <input name="username" autocomplete="username" value="${email}" hidden />
          <div class="row">
            <label>Password <input name="password" type="password" autocomplete="current-password" required maxlength="200" /></label>
            <label>Code <input name="code" autocomplete="one-time-code" required maxlength="20" /></label>
            <button class="button danger">Turn off</button>
          </div>
          <small>The code is from the app, or a recovery code. For another phone: turn codes off, then set them up again.</small>
        </form>`;
  }
}
