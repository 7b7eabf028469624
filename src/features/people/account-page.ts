import type { Person } from "#features/accounts/people.ts";
import { type ChatTrouble, NOTICE_KINDS, type NoticeChoices, type NoticeKind } from "#features/mail/notice-choices.ts";
import type { ApiKey } from "#features/keys/api-keys.ts";
import { lifetimeOptions } from "#features/keys/page.ts";
import type { ListedSession } from "#features/keys/sessions.ts";
import { KEY_SCOPES } from "#kit/levels.ts";
import { copyable } from "#kit/pages/copyable.ts";
import { dashboardDocument, type InstancePlace, time } from "#kit/pages/document.ts";
import { listTable } from "#kit/pages/list-table.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { scopeMeanings } from "#kit/pages/scope-meanings.ts";
import { doneNote, formStart, problemNote, selectOptions } from "#kit/pages/post-form.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { browserName } from "./browser-name.ts";
import { signInPanels, type SignInState } from "./sign-in-panels.ts";

export interface AccountPage extends SignInState {
  instance: InstancePlace;
  csrfToken: string;
  /** ID of the token form, which makes a repeated submission idempotent. */
  once: string;
  person: Person;
  /** Notification settings. */
  notices: ShownNotices;
  sessions: readonly ListedSession[];
  /** Hash of the current session. */
  ownSession: string;
  tokens: readonly ApiKey[];
  now: Date;
  notice: string | null;
  problem: string | null;
  /** The new token, which is shown only once. */
  made: { name: string; key: string } | null;
}

/** A person's own account: name, password, two-factor codes, passkeys, notifications, sessions, tokens. */
export function accountPage(page: AccountPage): Html {
  const { person, csrfToken } = page;
  return dashboardDocument({
    title: "Your account · Docent",
    place: null,
    instance: page.instance,
    reader: "member",
    body: html`<div class="heading"><h1>Your account</h1></div>
      ${doneNote(page.notice)}
      ${problemNote(page.problem)}
      ${
        page.made !== null &&
        html`<section class="new-key" role="status">
          <h2>${raw(visibleHtml(page.made.name))} is ready</h2>
          <p>Copy the token now: it is not shown again.</p>
          ${copyable("new-key", page.made.key)}
        </section>`
      }
      <div class="pair">
        <div class="panel">
          <h2>Profile</h2>
          ${formStart("/-/account/name", csrfToken)}
            <label>Name <input name="name" required maxlength="100" autocomplete="name" value="${person.name}" /></label>
            <label>Email address <input type="email" value="${person.email}" readonly /></label>
            <div class="send"><button class="button">Save name</button></div>
          </form>
        </div>
        <div class="panel">
          <h2>Password</h2>
          ${formStart("/-/account/password", csrfToken)}
            <input name="username" autocomplete="username" value="${person.email}" hidden />
            <label>Current password <input name="current" type="password" autocomplete="current-password" required /></label>
            <label>New password <input name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="200" /></label>
            <div class="send"><small>Ends your other sessions.</small><button class="button">Change password</button></div>
          </form>
        </div>
      </div>
      ${signInPanels(page, { csrfToken, browser: page.sessions.find(({ hash }) => hash === page.ownSession)?.browser ?? "" })}
      ${noticesForm(page.notices, csrfToken)}
      <div class="block">
        <div class="block-head">
          <h2>Sessions</h2>
          ${
            page.sessions.length > 1 &&
            html`${formStart("/-/account/sessions", csrfToken, "")}<button class="quiet">End all others</button></form>`
          }
        </div>
        ${listTable(
          ["Browser", "Address", "Signed in", "Last seen"],
          page.sessions.map((session) => sessionRow(page, session, csrfToken)),
          "End",
        )}
      </div>
      <div class="block panel">
        <h2>New personal access token</h2>
        ${formStart("/-/account/tokens", csrfToken)}
          <input type="hidden" name="once" value="${page.once}" />
          <div class="row">
            <label>Name <input name="name" required maxlength="100" placeholder="My laptop" autocomplete="off" /></label>
            <label class="narrow">Lifetime <select name="lifetime">${lifetimeOptions("30")}</select></label>
            <label class="narrow">Scope <select name="scope">${selectOptions(KEY_SCOPES, null)}</select></label>
            <button class="button primary">Create token</button>
          </div>
          ${scopeMeanings()}
          <small>
            For the command line, git and programs of your own. It works in every project that you have a role in, and never does more
            than your role allows. With git it is the password, with any user name.
          </small>
        </form>
      </div>
      <div class="block">
        <h2>Personal access tokens</h2>
        ${page.tokens.length === 0 ? html`<p class="muted">None.</p>` : tokens(page, csrfToken)}
      </div>`,
  });
}

type ShownNotices = Omit<NoticeChoices, "chatUrl"> & {
  /** Host of the chat webhook; null without one. */
  chatHost: string | null;
  chatTrouble: ChatTrouble | null;
  canMail: boolean;
};

const NOTICE_WORDS: Readonly<Record<NoticeKind, string>> = {
  reviews: "A pull request waits for review in a project that I can merge in",
  comments: "Someone comments on or reviews a pull request of a job that I sent a message, or one that I commented on",
  links: "A deployment of a project that I can merge in has more broken links than the one before",
  connections: "The connection to the repository of a project that I administer has failed for an hour",
  keys: "One of my personal access tokens, or an API key of a project that I administer, expires within a week",
};

function noticesForm({ jobs, kinds, isDaily, chatHost, chatTrouble, canMail }: ShownNotices, csrfToken: string): Html {
  const box = (name: string, isOn: boolean, words: string) =>
    html`<label class="choice"><span><input type="checkbox" name="${name}" value="yes" ${isOn ? raw("checked") : ""} /> ${words}</span></label>`;
  return html`${formStart("/-/account/mail", csrfToken, "form block panel")}
    <h2>Notifications</h2>
    <p class="muted">${canMail ? "Docent sends you a mail, or a message in your chat, when:" : "Docent sends you a message in your chat when:"}</p>
    ${box("jobs", jobs, "A job whose last message I sent ends or asks a question")}
    ${NOTICE_KINDS.map((kind) => box(kind, kinds.includes(kind), NOTICE_WORDS[kind]))}
    ${
      chatHost !== null &&
      html`<p>They go to your chat at <b>${chatHost}</b>. ${canMail && html`<label class="choice"><span><input type="checkbox" name="no-chat" value="yes" /> Send mail instead</span></label>`}</p>`
    }
    ${
      chatHost !== null &&
      chatTrouble !== null &&
      html`<p class="problem">Your chat did not accept the last message (${time(chatTrouble.at)}). ${chatTrouble.problem} Enter the address below again to try it.</p>`
    }
    <label>${chatHost === null ? "Chat webhook" : "Another chat webhook"} <input name="chat" type="url" maxlength="2000" placeholder="https://hooks.slack.com/services/…" autocomplete="off" ${!canMail && chatHost === null ? raw("required") : ""} />
      <small>An incoming webhook of Slack, Mattermost, Rocket.Chat or Google Chat. ${canMail && chatHost === null && "Leave it empty to get mail. "}Docent posts a test message when you save.</small></label>
    <label class="narrow">Send <select name="when">${selectOptions({ now: "Immediately", daily: "Once a day, at 06:00 UTC" }, isDaily ? "daily" : "now")}</select></label>
    <div class="send"><button class="button">Save notifications</button></div>
  </form>`;
}

function sessionRow({ ownSession }: AccountPage, session: ListedSession, csrfToken: string): Html {
  const isOwn = session.hash === ownSession;
  return html`<tr>
    <td>${raw(visibleHtml(browserName(session.browser)))} ${isOwn && html`<span class="badge here">this browser</span>`}</td>
    <td data-label="Address">${session.address}</td>
    <td data-label="Signed in">${time(session.createdAt)}</td>
    <td data-label="Last seen">${time(session.lastSeenAt)}</td>
    <td>${
      !isOwn &&
      html`${formStart("/-/account/sessions", csrfToken, "")}<input type="hidden" name="session" value="${session.hash}" /><button class="quiet">End</button>
      </form>`
    }</td>
  </tr>`;
}

function tokens({ tokens: all, now }: AccountPage, csrfToken: string): Html {
  const isOver = (token: ApiKey) => token.revokedAt !== null || (token.expiresAt !== null && token.expiresAt <= now);
  return listTable(
    ["Name", "Token", "Scope", "Last used", "Expires"],
    all.toReversed().map(
      (token) =>
        html`<tr class="${isOver(token) ? "over" : ""}">
          <td>${raw(visibleHtml(token.name))}</td>
          <td data-label="Token"><code>docent_…${token.hint}</code></td>
          <td data-label="Scope">${token.scope}</td>
          <td data-label="Last used">${token.lastUsedAt ? time(token.lastUsedAt) : "never"}</td>
          <td data-label="Expires">${token.revokedAt ? "revoked" : token.expiresAt ? time(token.expiresAt) : "never"}</td>
          <td>${
            !isOver(token) &&
            html`${formStart("/-/account/revoke", csrfToken, "")}<input type="hidden" name="token" value="${token.id}" /><button class="quiet">Revoke</button>
            </form>`
          }</td>
        </tr>`,
    ),
    "Revoke",
  );
}
