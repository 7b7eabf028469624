import { HOST_NAMES } from "#hosts/host-names.ts";
import type { RemoteKind } from "#hosts/code-host.ts";
import type { ConnectionState } from "#hosts/remote/connections.ts";
import { copyable } from "#kit/pages/copyable.ts";
import { dashboardDocument, type ShownProject, time } from "#kit/pages/document.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { doneNote, formStart, problemNote } from "#kit/pages/post-form.ts";

export interface ConnectionPage {
  place: ShownProject;
  csrfToken: string;
  connection: ConnectionState;
  branch: string;
  webhookUrl: string;
  /** The secret, if it was requested. */
  webhookSecret: string | null;
  /** Confirmation of the last action. */
  notice: string | null;
  /** Why the token was not replaced. */
  refused: string | null;
  /** Whether the page reloads itself; not possible for the response to a form, which has no URL of its own. */
  isFollowed: boolean;
}

const REFRESH_SECONDS = 3;

const GITEA_EVENTS = "Push, Pull request, Pull request comment and Pull request reviewed";
const WEBHOOK_PLACES: Record<RemoteKind, { where: string; events: string; secret: string }> = {
  github: {
    where: "Settings → Webhooks → Add webhook",
    events: "Pushes, Pull requests, Issue comments, Pull request reviews and Pull request review comments",
    secret: "Secret",
  },
  gitlab: {
    where: "Settings → Webhooks → Add new webhook",
    events: "Push events, Merge request events and Comments",
    secret: "Secret token",
  },
  gitea: { where: "Settings → Webhooks → Add webhook → Gitea", events: GITEA_EVENTS, secret: "Secret" },
  forgejo: { where: "Settings → Webhooks → Add webhook → Forgejo", events: GITEA_EVENTS, secret: "Secret" },
};

/** The state of a repository on another host, and the actions of its people. */
export function connectionPage(page: ConnectionPage): Html {
  const { place, connection, notice } = page;
  return dashboardDocument({
    title: `Connection · ${place.name}`,
    place,
    reader: "member",
    section: "connection",
    live: page.isFollowed ? { refreshSeconds: REFRESH_SECONDS } : {},
    body: html`<div class="heading"><h1>Connection</h1></div>
      ${doneNote(notice)}
      ${state(page)}
      <div class="pair block">${connection.app ? ofApp(connection.app) : webhook(page)} ${credential(page)}</div>
      <p class="hint block">
        ${HOST_NAMES[connection.kind]} keeps the repository and its pull requests; a mirror of the branch is here. Readers see the mirror, so
        that a host that is away costs nothing but freshness.
      </p>`,
  });
}

const stateOf = ({ trouble, syncedAt }: ConnectionState): { tone: string; words: string } => {
  if (trouble !== null) return { tone: "bad", words: "Needs attention" };
  return syncedAt === null ? { tone: "wait", words: "First look under way" } : { tone: "good", words: "Connected" };
};

function state({ place, csrfToken, connection, branch }: ConnectionPage): Html {
  const { tone, words } = stateOf(connection);
  const { kind, url, syncedAt, triedAt, webhookAt, trouble, remarks } = connection;
  return html`<section id="connection" class="panel connection" data-live>
    <div class="block-head">
      <h2><span class="lamp ${tone}" aria-hidden="true"></span> ${words}</h2>
      ${formStart(`/${place.slug}/connection/sync`, csrfToken, "")}
        <button class="button">Sync now</button>
      </form>
    </div>
    ${problemNote(trouble)}
    ${trouble !== null && syncedAt !== null && html`<p class="hint">The site shows the branch as it was when it was last current.</p>`}
    ${remarks.map((remark) => html`<p class="remark">${remark}</p>`)}
    <dl class="facts">
      <dt>${HOST_NAMES[kind]}</dt>
      <dd><a href="${url}">${url}</a></dd>
      <dt>Branch</dt>
      <dd><code>${branch}</code></dd>
      <dt>Current as of</dt>
      <dd>${syncedAt ? time(syncedAt) : "not yet"}</dd>
      <dt>Last looked at</dt>
      <dd>${triedAt ? time(triedAt) : "in a moment"}</dd>
      <dt>Last webhook</dt>
      <dd>${webhookAt ? time(webhookAt) : "none yet: the host is asked every minute"}</dd>
    </dl>
  </section>`;
}

function webhook({ place, csrfToken, connection, webhookUrl, webhookSecret }: ConnectionPage): Html {
  const at = WEBHOOK_PLACES[connection.kind];
  return html`<section class="panel">
    <h2>Webhook</h2>
    <p class="muted">
      With it, pushes and comments are seen here at once.
      ${
        connection.isWebhookMade
          ? html`<b>Docent made it</b> on ${HOST_NAMES[connection.kind]}: there is nothing to enter.`
          : `On ${HOST_NAMES[connection.kind]}: ${at.where}.`
      }
    </p>
    <dl class="facts stacked">
      <dt>Address</dt>
      <dd>${copyable("webhook-url", webhookUrl)}</dd>
      <dt>${at.secret}</dt>
      <dd>${
        webhookSecret !== null
          ? copyable("webhook-secret", webhookSecret)
          : html`${formStart(`/${place.slug}/connection/webhook`, csrfToken, "")}
              <button class="button">Show the secret</button>
            </form>`
      }</dd>
      <dt>Content type</dt>
      <dd><code>application/json</code></dd>
      <dt>Events</dt>
      <dd>${at.events}</dd>
    </dl>
  </section>`;
}

/** The app has a single webhook for all repositories, and tokens that renew themselves. */
function ofApp({ name }: { name: string }): Html {
  return html`<section class="panel">
    <h2>GitHub App</h2>
    <p><b>${name}</b> is installed on this repository. Its tokens live an hour and reach this repository alone; nobody has to replace them.</p>
    <p class="muted">
      Its own webhook says what happens here, if GitHub reaches this server. Its repositories are chosen on GitHub under Settings → Applications → Installed
      GitHub Apps → Configure.
    </p>
  </section>`;
}

function credential({ place, csrfToken, connection, refused }: ConnectionPage): Html {
  return html`<section class="panel">
    <h2>Token</h2>
    <p class="muted">
      ${connection.app ? "To leave the app, give Docent a token in its place:" : "Before it expires, give Docent the next one:"}
      ${HOST_NAMES[connection.kind]} is asked first what it may do, and what is under way ends as it began.
    </p>
    ${problemNote(refused)}
    ${formStart(`/${place.slug}/connection/token`, csrfToken)}
      <label>New token <input name="token" type="password" required maxlength="4000" autocomplete="off" spellcheck="false" /></label>
      <div class="send"><small>Stored encrypted, and not shown again.</small> <button class="button primary">${connection.app ? "Use this token" : "Replace the token"}</button></div>
    </form>
  </section>`;
}
