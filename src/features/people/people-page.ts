import type { Invitation } from "#features/accounts/invitations.ts";
import type { ListedPerson, Person } from "#features/accounts/people.ts";
import { dashboardDocument, type InstancePlace, time } from "#kit/pages/document.ts";
import { listTable } from "#kit/pages/list-table.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { doneNote, formStart, problemNote, selectOptions } from "#kit/pages/post-form.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { invitationLink, openInvitations } from "./invitations-panel.ts";
import type { NewInvitation } from "./send-invitation.ts";

export interface PeoplePage {
  instance: InstancePlace;
  csrfToken: string;
  search: string;
  people: readonly ListedPerson[];
  hasMore: boolean;
  invitations: readonly Invitation[];
  ownId: string | null;
  notice: string | null;
  invited: NewInvitation | null;
  refused: { email: string; problem: string } | null;
  /** Mail that the mail server has not accepted so far. */
  delayedMail: { count: number; since: Date } | null;
}

/** All accounts of the instance, for its owners. */
export function peoplePage(page: PeoplePage): Html {
  const { csrfToken, refused } = page;
  return dashboardDocument({
    title: "People · Docent",
    place: null,
    instance: page.instance,
    reader: "member",
    body: html`<div class="heading"><h1>People</h1></div>
      ${doneNote(page.notice)}
      ${page.delayedMail !== null && delayedNote(page.delayedMail)}
      ${page.invited !== null && invitationLink(page.invited)}
      <div class="block panel">
        <h2>Invite people</h2>
        ${problemNote(refused?.problem)}
        ${formStart("/-/people/invite", csrfToken)}
          <div class="row">
            <label>Email address <input name="email" type="email" required maxlength="254" autocomplete="off" placeholder="ada@example.com" value="${refused?.email ?? ""}" /></label>
            <label class="narrow">As <select name="as">${selectOptions(["member", "owner"], null)}</select></label>
            <button class="button primary">Create invitation</button>
          </div>
          <small>A member sees the projects that they have a role in: the members page of a project gives one. An owner may do everything.</small>
        </form>
      </div>
      ${openInvitations({
        invitations: page.invitations,
        path: "/-/people",
        offerField: "as",
        csrfToken,
      })}
      <div class="block">
        <div class="block-head">
          <h2>Accounts</h2>
          <form class="inline" method="get" action="/-/people" role="search">
            <input name="search" type="search" aria-label="Search by name or email address" placeholder="Search" value="${page.search}" />
          </form>
        </div>
        ${page.people.length === 0 ? html`<p class="muted">Nobody matches.</p>` : table(page)}
        ${page.hasMore && html`<p class="muted">Only the first ${page.people.length} are shown. Search for others.</p>`}
      </div>`,
  });
}

const delayedNote = ({ count, since }: { count: number; since: Date }): Html =>
  html`<p class="problem" role="status">The mail server has not accepted ${count === 1 ? "a mail" : `${count} mails`} so far, the oldest from ${time(since)}. Docent tries again for a day. <code>docent doctor</code> says what is wrong; until then, send links of invitations yourself.</p>`;

function table({ people, ownId }: PeoplePage): Html {
  return listTable(
    ["Name", "Email address", "Projects", "Last seen", "Since"],
    people.map(
      ({ id, name, email, isOwner, projects, lastSeenAt, createdAt }) =>
        html`<tr>
          <td>${raw(visibleHtml(name))} ${isOwner && html`<span class="badge">owner</span>`} ${id === ownId && html`<span class="badge here">you</span>`}</td>
          <td data-label="Email address">${email}</td>
          <td data-label="Projects">${isOwner ? "all" : projects}</td>
          <td data-label="Last seen">${lastSeenAt ? time(lastSeenAt) : "not signed in"}</td>
          <td data-label="Since">${time(createdAt)}</td>
          <td><a href="/-/people/${id}">Change</a></td>
        </tr>`,
    ),
    "Change",
  );
}

/** One account: owner status, a new password, deletion. */
export function personPage(page: {
  instance: InstancePlace;
  csrfToken: string;
  person: Person;
  isOwn: boolean;
  hasTwoFactor: boolean;
  roles: readonly { slug: string; name: string; role: string }[];
  problem: string | null;
}): Html {
  const { person, csrfToken } = page;
  const action = (name: string) => `/-/people/${person.id}/${name}`;
  return dashboardDocument({
    title: `${person.name} · Docent`,
    place: null,
    instance: page.instance,
    reader: "member",
    body: html`<div class="heading"><h1>${raw(visibleHtml(person.name))}</h1></div>
      <p class="muted">${person.email}${person.isOwner && html` · owner of the server`}</p>
      ${problemNote(page.problem)}
      <div class="block">
        <h2>Projects</h2>
        ${
          person.isOwner
            ? html`<p class="muted">An owner is an admin of every project.</p>`
            : page.roles.length === 0
              ? html`<p class="muted">None. Give roles on the members page of a project.</p>`
              : html`<dl class="facts">${page.roles.map(({ slug, name, role }) => html`<dt>${role}</dt><dd><a href="/${slug}/members">${raw(visibleHtml(name))}</a></dd>`)}</dl>`
        }
      </div>
      <div class="block panel">
        <h2>Ownership</h2>
        ${formStart(action(person.isOwner ? "member" : "owner"), csrfToken)}
          <div class="send">
            <span>${person.isOwner ? "Take the ownership of the server away." : "Make this person an owner of the server: they may do everything."}</span>
            <button class="button">${person.isOwner ? "Make a member" : "Make an owner"}</button>
          </div>
        </form>
      </div>
      ${
        !page.isOwn &&
        html`<div class="block panel">
          <h2>Password</h2>
          ${formStart(action("password"), csrfToken)}
            <div class="row">
              <label>New password <input name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="200" /></label>
              <button class="button">Set password</button>
            </div>
            <small>Ends all of their sessions and revokes their tokens. Tell them the password, and ask them to change it on their account page.</small>
          </form>
        </div>
        ${
          page.hasTwoFactor &&
          html`<div class="block panel">
            <h2>Two-factor codes</h2>
            ${formStart(action("two-factor"), csrfToken)}
              <div class="send">
                <span>Turn them off for a person who lost the phone and the recovery codes. Sign-in then asks for the password alone.</span>
                <button class="button">Turn off two-factor codes</button>
              </div>
            </form>
          </div>`
        }
        <div class="block panel">
          <h2>Delete account</h2>
          ${formStart(action("delete"), csrfToken)}
            <div class="row">
              <label>Enter the email address to confirm <input name="confirm" autocomplete="off" required /></label>
              <button class="button primary danger">Delete account</button>
            </div>
            <small>Ends their sessions and tokens at once, and takes their roles away. What they did stays in the records.</small>
          </form>
        </div>`
      }`,
  });
}
