import type { Invitation } from "#features/accounts/invitations.ts";
import type { ProjectMember } from "#features/accounts/members.ts";
import { ROLE_MEANINGS, ROLES } from "#kit/levels.ts";
import { dashboardDocument, type ShownProject } from "#kit/pages/document.ts";
import { listTable } from "#kit/pages/list-table.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { doneNote, formStart, problemNote, type Refused, selectOptions } from "#kit/pages/post-form.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { invitationLink, openInvitations } from "./invitations-panel.ts";
import type { NewInvitation } from "./send-invitation.ts";

export interface MembersPage {
  place: ShownProject;
  csrfToken: string;
  search: string;
  members: readonly ProjectMember[];
  /** There are more members than the page shows. */
  hasMore: boolean;
  invitations: readonly Invitation[];
  /** The reader; null for a session of a key. */
  ownId: string | null;
  notice: string | null;
  invited: NewInvitation | null;
  refused: Refused | null;
}

/** Members of a project: change or remove roles, invite people. */
export function membersPage(page: MembersPage): Html {
  const { place, csrfToken, refused } = page;
  const action = (name: string) => `/${place.slug}/members/${name}`;
  return dashboardDocument({
    title: `Members · ${place.name}`,
    place,
    reader: "member",
    section: "members",
    body: html`<div class="heading"><h1>Members</h1></div>
      ${doneNote(page.notice)}
      ${page.invited !== null && invitationLink(page.invited)}
      <div class="block panel">
        <h2>Add member</h2>
        ${problemNote(refused?.problem)}
        ${formStart(action("invite"), csrfToken)}
          <div class="row">
            <label>Email address <input name="email" type="email" required maxlength="254" autocomplete="off" placeholder="ada@example.com" value="${refused?.field("email") ?? ""}" /></label>
            <label class="narrow">Role <select name="role">${selectOptions(ROLES, refused?.field("role") ?? "editor")}</select></label>
            <button class="button primary">Add member</button>
          </div>
          <small>People with an account become members at once. For others you get an invitation link.</small>
        </form>
      </div>
      ${openInvitations({
        invitations: page.invitations,
        path: `/${place.slug}/members`,
        offerField: "role",
        csrfToken,
      })}
      <div class="block">
        <div class="block-head">
          <h2>Members</h2>
          <form class="inline" method="get" action="/${place.slug}/members" role="search">
            <input name="search" type="search" aria-label="Search by name or email address" placeholder="Search" value="${page.search}" />
          </form>
        </div>
        ${page.members.length > 0 && table(page, action("role"))}
        ${page.members.length === 0 && html`<p class="muted">${page.search === "" ? "No members yet. Owners of the server see every project." : "Nobody matches."}</p>`}
        ${page.hasMore && html`<p class="muted">Only the first ${page.members.length} are shown. Search for others.</p>`}
      </div>
      <div class="block">
        <h2>Roles</h2>
        <dl class="facts">
          ${ROLES.map((role) => html`<dt>${role}</dt><dd>${ROLE_MEANINGS[role]}</dd>`)}
        </dl>
      </div>`,
  });
}

function table({ members, csrfToken, ownId }: MembersPage, action: string): Html {
  return listTable(
    ["Name", "Email address", "Role"],
    members.map(
      ({ id, name, email, role, isOwner }) =>
        html`<tr>
          <td>${raw(visibleHtml(name))} ${id === ownId && html`<span class="badge here">you</span>`} ${isOwner && html`<span class="badge">owner of the server</span>`}</td>
          <td data-label="Email address">${email}</td>
          <td data-label="Role">
            ${formStart(action, csrfToken, "inline")}
              <input type="hidden" name="person" value="${id}" />
              <select name="role" aria-label="Role of ${name}">${selectOptions(ROLES, role)}</select>
              <button class="button">Save</button>
            </form>
          </td>
          <td>
            <details class="ask">
              <summary class="quiet" aria-label="Remove ${name}">Remove</summary>
              ${formStart(action, csrfToken, "")}
                <input type="hidden" name="person" value="${id}" /><input type="hidden" name="role" value="none" />
                <p>${raw(visibleHtml(name))} loses access to the project at once.</p>
                <button class="button danger">Remove member</button>
              </form>
            </details>
          </td>
        </tr>`,
    ),
    "Remove",
  );
}
