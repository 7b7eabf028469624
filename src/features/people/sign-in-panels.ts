import { RECOVERY_CODES } from "#features/accounts/two-factor.ts";
import type { Passkey } from "#features/accounts/passkeys.ts";
import { dashboardFile } from "#kit/pages/dashboard-files.ts";
import { time } from "#kit/pages/document.ts";
import { listTable } from "#kit/pages/list-table.ts";
import { csrfField } from "#kit/pages/post-form.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { browserName } from "./browser-name.ts";

export interface SignInState {
  /** Whether sign-in requires a code after the password; null for an account without a password. */
  twoFactor: { recoveryCodesLeft: number } | "off" | null;
  /** Null if browsers do not support passkeys at this server's URL. */
  passkeys: readonly Passkey[] | null;
}

/** Panels of two-factor codes and passkeys. `browser`: suggested name of a passkey. */
export function signInPanels(page: SignInState, { csrfToken, browser }: { csrfToken: string; browser: string }): Html {
  return html`${page.twoFactor !== null && twoFactorPanel(page.twoFactor)}
    <div class="block panel">
      <h2>Passkeys</h2>
      ${page.passkeys === null ? NO_PASSKEYS : passkeysPanel(page.passkeys, { csrfToken, browser, hasPassword: page.twoFactor !== null })}
    </div>`;
}

function twoFactorPanel(state: NonNullable<SignInState["twoFactor"]>): Html {
  const left = state === "off" ? 0 : state.recoveryCodesLeft;
  return html`<div class="block panel">
    <h2>Two-factor codes</h2>
    <p>
      ${
        state === "off"
          ? "Off. Turn them on, and sign-in asks for a code from an app on your phone after the password."
          : html`<span class="lamp good" aria-hidden="true"></span> On. ${left === 0 ? "No recovery code is left: create new ones." : `${left} of ${RECOVERY_CODES} recovery codes are left.`}`
      }
    </p>
    <p><a class="button" href="/-/account/two-factor">${state === "off" ? "Set up two-factor codes" : "Change two-factor codes"}</a></p>
  </div>`;
}

const NO_PASSKEYS = html`<p>
  Browsers offer passkeys only at an <code>https://</code> address with a host name, and this server has none. Its operator sets one with
  <code>DOCENT_BASE_URL</code>.
</p>`;

function passkeysPanel(
  passkeys: readonly Passkey[],
  { csrfToken, browser, hasPassword }: { csrfToken: string; browser: string; hasPassword: boolean },
): Html {
  return html`<p>A passkey signs you in with your fingerprint, face or PIN, without a password or code. It stays on your device or in your password manager.</p>
    ${
      passkeys.length > 0 &&
      listTable(
        ["Name", "Added", "Last used"],
        passkeys.map((passkey) => passkeyRow(passkey, csrfToken)),
        "Remove",
      )
    }
    <p class="muted" data-no-passkeys>This browser has no passkeys, or scripts are turned off.</p>
    <form class="form" method="post" action="/-/account/passkey-add" data-passkey="/-/account/passkey-options" hidden>
      ${csrfField(csrfToken)}
      <input type="hidden" name="attempt" />
      <input type="hidden" name="credential" />
      <p class="problem" role="alert" hidden></p>
      <div class="row">
        <label>Name <input name="name" required maxlength="100" autocomplete="off" value="${browserName(browser)}" /></label>
        ${hasPassword && html`<label>Your password <input type="password" name="password" required autocomplete="current-password" /></label>`}
        <button class="button">Add passkey</button>
      </div>
    </form>
    <script type="module" src="${dashboardFile("passkeys.js")}"></script>`;
}

function passkeyRow({ id, name, createdAt, lastUsedAt }: Passkey, csrfToken: string): Html {
  const passkey = html`${csrfField(csrfToken)}<input type="hidden" name="passkey" value="${id}" />`;
  return html`<tr>
    <td>
      <form class="rename" method="post" action="/-/account/passkey-rename">
        ${passkey}<input name="name" aria-label="Name of the passkey" required maxlength="100" autocomplete="off" value="${name}" />
        <button class="quiet">Rename</button>
      </form>
    </td>
    <td data-label="Added">${time(createdAt)}</td>
    <td data-label="Last used">${lastUsedAt ? time(lastUsedAt) : "never"}</td>
    <td><form method="post" action="/-/account/passkey-remove">${passkey}<button class="quiet">Remove</button></form></td>
  </tr>`;
}
