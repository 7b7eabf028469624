import { type Invitation, offeredRole } from "#features/accounts/invitations.ts";
import { copyable } from "#kit/pages/copyable.ts";
import { date } from "#kit/pages/document.ts";
import { listTable } from "#kit/pages/list-table.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { formStart } from "#kit/pages/post-form.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import type { NewInvitation } from "./send-invitation.ts";

/** Link of a new invitation, which is shown only once. */
export const invitationLink = ({ email, url, expiresAt, isSent, openedAt }: NewInvitation): Html =>
  html`<section class="new-key" role="status">
    <h2>${isSent ? `The invitation is on its way to ${email}` : `Send this link to ${email}`}</h2>
    <p>${isSent && "You can send the link yourself, too. "}It is not shown again, works once, and only for this address. It is open until ${date(expiresAt)}.</p>
    ${copyable("invitation", url)}
    ${isOfThisMachine(new URL(url).host) && !isOfThisMachine(openedAt) && html`<p class="problem">The link leads to ${new URL(url).origin}, but you opened this page at ${openedAt}. Set <code>DOCENT_BASE_URL</code> to the address that people use, restart the server, and send the invitation again.</p>`}
  </section>`;

const isOfThisMachine = (host: string): boolean => /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/.test(host);

/** Open invitations, each with a button to withdraw it; empty if there are none. */
export const openInvitations = (page: {
  invitations: readonly Invitation[];
  /** Path of the page, below which its forms invite and withdraw. */
  path: string;
  /** The field of the form that invites, for what is offered: a new invitation replaces the one before. */
  offerField: string;
  csrfToken: string;
}): Html =>
  html`${
    page.invitations.length > 0 &&
    html`<div class="block">
      <h2>Open invitations</h2>
      ${listTable(
        ["Email address", "As", "Invited by", "Open until"],
        page.invitations.map(
          (invitation) =>
            html`<tr>
              <td>${invitation.email}</td>
              <td data-label="As">${offeredRole(invitation.offer)}</td>
              <td data-label="Invited by">${raw(visibleHtml(invitation.invitedBy))}</td>
              <td data-label="Open until">${date(invitation.expiresAt)}</td>
              <td class="row-actions">
                ${formStart(`${page.path}/invite`, page.csrfToken, "")}
                  <input type="hidden" name="email" value="${invitation.email}" />
                  <input type="hidden" name="${page.offerField}" value="${offeredRole(invitation.offer)}" />
                  <button class="quiet" title="A new link replaces the one before">Send again</button>
                </form>
                ${formStart(`${page.path}/withdraw`, page.csrfToken, "")}
                  <input type="hidden" name="id" value="${invitation.id}" />
                  <button class="quiet">Withdraw</button>
                </form>
              </td>
            </tr>`,
        ),
        "Send again or withdraw",
      )}
    </div>`
  }`;
