import type { Invitation } from "#features/accounts/invitations.ts";
import { SETUP_PATH } from "#features/keys/operator-access.ts";
import { type Role, ROLE_MEANINGS, ROLES } from "#kit/levels.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { formStart, problemNote } from "#kit/pages/post-form.ts";
import { dashboardDocument, date } from "#kit/pages/document.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { type LocalServer, localModelsText } from "#models/local-servers.ts";
import { MAX_PASSWORD, MIN_PASSWORD } from "#lib/secrets/password.ts";

const PASSWORD = html`<label>
  Password
  <input name="password" type="password" autocomplete="new-password" required minlength="${MIN_PASSWORD}" maxlength="${MAX_PASSWORD}" />
  <small>At least ${MIN_PASSWORD} characters, and not a common password.</small>
</label>`;

/** Page on which an owner creates an account. */
export function setupPage(page: {
  csrfToken: string;
  isFirst: boolean;
  name: string;
  email: string;
  problem: string | null;
  /** Model servers on this machine. */
  found: readonly LocalServer[];
}): Html {
  return dashboardDocument({
    title: "Set up Docent",
    place: null,
    reader: "stranger",
    body: html`<div class="narrow-page">
      <h1>${page.isFirst ? "Create the first account" : "Create an owner's account"}</h1>
      <p class="muted">
        An owner may do everything on this server: create projects, invite people, and change what each may do.
        ${page.isFirst && html`Next you add a project, and invite your team.`}
      </p>
      ${formStart(SETUP_PATH, page.csrfToken, "form panel")}
        ${problemNote(page.problem)}
        <label>Your name <input name="name" required maxlength="100" autocomplete="name" value="${page.name}" autofocus /></label>
        <label>Email address <input name="email" type="email" required maxlength="254" autocomplete="username" value="${page.email}" /></label>
        ${PASSWORD}
        <div class="send"><button class="button primary">Create account</button></div>
      </form>
      ${page.isFirst && page.found.length > 0 && html`<p class="hint" id="found">Found on this machine: ${localModelsText(page.found)}. Once you have a project, its page offers to use it. Nothing uses it before that.</p>`}
      ${
        !page.isFirst &&
        html`<p class="hint">
          This server has an owner. If you forgot a password, create another owner here, with a second address, and set a new
          password on the people page. <a href="/-/new">Add a project without an account</a>.
        </p>`
      }
    </div>`,
  });
}

/** Page on which a person accepts an invitation. */
export function joinPage(page: {
  token: string;
  invitation: Invitation;
  projectName: string | null;
  state: "new account" | "accept" | "sign in" | "somebody else";
  csrfToken: string;
  name: string;
  problem: string | null;
}): Html {
  const { invitation, projectName, state } = page;
  const { offer, email } = invitation;
  const what =
    offer.projectId === null
      ? html`${offer.isOwner ? "as an owner of this server" : "to this server"}`
      : html`to <b>${raw(visibleHtml(projectName ?? "a project"))}</b> as ${offer.role} (${meaningOf(offer.role)})`;
  const address = `/-/join/${page.token}`;
  const forms: Record<typeof state, Html> = {
    "new account": html`${formStart(address, page.csrfToken, "form panel")}
      <label>Your name <input name="name" required maxlength="100" autocomplete="name" value="${page.name}" autofocus /></label>
      <label>Email address <input type="email" value="${email}" autocomplete="username" readonly /></label>
      ${PASSWORD}
      <div class="send"><button class="button primary">Create account and join</button></div>
    </form>`,
    accept: html`${formStart(address, page.csrfToken, "form panel")}
      <div class="send"><span>You are signed in as ${email}.</span><button class="button primary">Accept invitation</button></div>
    </form>`,
    "sign in": html`<p class="panel">
      There is an account for ${email}. <a href="/sign-in?to=${encodeURIComponent(address)}">Sign in to accept</a>.
    </p>`,
    "somebody else": html`<p class="problem">This invitation is for ${email}, and you are signed in with another address. Sign out, and open the link again.</p>`,
  };
  return dashboardDocument({
    title: "Invitation · Docent",
    place: null,
    reader: "stranger",
    body: html`<div class="narrow-page">
      <h1>You are invited</h1>
      <p>${raw(visibleHtml(invitation.invitedBy))} invites you ${what}.</p>
      ${problemNote(page.problem)} ${forms[state]}
      <p class="hint">The invitation is open until ${date(invitation.expiresAt)}.</p>
    </div>`,
  });
}

/** What a role allows, in words that add up; reading the site goes without saying. */
function meaningOf(role: Role): string {
  const roles = ROLES.slice(1, ROLES.indexOf(role) + 1);
  return (roles.length === 0 ? [role] : roles).map((each) => ROLE_MEANINGS[each]).join(", ");
}
