import { type ApiKey, KEY_LIFETIMES_DAYS } from "./api-keys.ts";
import { KEY_SCOPES, type KeyScope } from "#kit/levels.ts";
import { listTable } from "#kit/pages/list-table.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { scopeMeanings } from "#kit/pages/scope-meanings.ts";
import { formStart, problemNote, selectOptions } from "#kit/pages/post-form.ts";
import { copyable } from "#kit/pages/copyable.ts";
import { dashboardDocument, type ShownProject, date, time } from "#kit/pages/document.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";

export interface KeysPage {
  place: ShownProject;
  csrfToken: string;
  /** Form ID, which makes a repeated submission idempotent. */
  once: string;
  projectId: string;
  baseUrl: string;
  keys: readonly ApiKey[];
  /** ID of the key of this session; null for a person. */
  ownKeyId: string | null;
  now: Date;
  /** The new key, which is shown only once. */
  made: { name: string; key: string; expiresAt: Date | null } | null;
  /** Whether the form was submitted again, after its key was created and shown. */
  isRepeated: boolean;
  /** The rejected input, with the reason. */
  refused: { name: string; lifetime: string; scope: string; allow: string; problem: string } | null;
}

/** Value of the lifetime field. */
export const NO_EXPIRY = "never";
const DEFAULT_DAYS = 90;
/** Of a form without a scope too. Over HTTP and on the command line the default is `admin`. */
export const DEFAULT_SCOPE: KeyScope = "agent";

/** API keys page of a project: its ID, its keys, and a form for another one. */
export function keysPage(page: KeysPage): Html {
  const { place, refused } = page;
  return dashboardDocument({
    title: `API keys · ${place.name}`,
    place,
    reader: "member",
    section: "keys",
    body: html`<div class="heading"><h1>API keys</h1></div>
      <p class="muted">
        A key gives a program access to this project. Choose the lowest scope that is enough, and keep the key on servers: never in a web
        page or an app. You can also sign in here with an admin key.
      </p>
      ${page.made && newKey(page.made)}
      ${
        page.isRepeated &&
        html`<p class="problem" role="status">
          This key was made when the form was sent first, and shown then. It is in the list below and is not shown
          again: if nobody copied it, revoke it and create another.
        </p>`
      }
      <div class="block panel">
        <h2>Use it with</h2>
        <dl class="facts">
          <dt>Project ID</dt>
          <dd>${copyable("project-id", page.projectId)}</dd>
          <dt>Base URL</dt>
          <dd>${copyable("base-url", page.baseUrl)}</dd>
          <dt>For example</dt>
          <dd>
            <pre class="usage"><code>curl ${page.baseUrl}/v2/agent/${page.projectId}/job \\
  -H "Authorization: Bearer $DOCENT_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"prompt": "Fix the broken links."}'</code></pre>
          </dd>
        </dl>
      </div>
      <div class="block panel">
        <h2>New key</h2>
        ${problemNote(refused?.problem)}
        ${formStart(`/${place.slug}/keys`, page.csrfToken)}
          <input type="hidden" name="once" value="${page.once}" />
          <div class="row">
            <label>Name <input name="name" required maxlength="100" placeholder="What it is for" value="${refused?.name ?? ""}" autocomplete="off" /></label>
            <label class="narrow">Lifetime <select name="lifetime">${lifetimeOptions(refused?.lifetime ?? String(DEFAULT_DAYS))}</select></label>
            <label>Scope <select name="scope">${selectOptions(KEY_SCOPES, refused?.scope ?? DEFAULT_SCOPE)}</select></label>
            <label>Works from <input name="allow" maxlength="3000" placeholder="everywhere" title="Addresses and ranges such as 10.0.0.0/8, separated by spaces" value="${refused?.allow ?? ""}" autocomplete="off" /></label>
            <button class="button primary">Create key</button>
          </div>
          ${scopeMeanings()}
        </form>
      </div>
      <div class="block">
        <h2>Keys</h2>
        ${page.keys.length === 0 ? html`<p class="muted">There are none.</p>` : table(page)}
      </div>`,
  });
}

function newKey({ name, key, expiresAt }: NonNullable<KeysPage["made"]>): Html {
  return html`<section class="new-key" role="status">
    <h2>${raw(visibleHtml(name))} is ready</h2>
    <p>Copy the key now: it is not shown again. It is good ${expiresAt ? html`until ${date(expiresAt)}` : "until it is revoked"}.</p>
    ${copyable("new-key", key)}
  </section>`;
}

/** The list of lifetimes. */
export const lifetimeOptions = (chosen: string): Html[] =>
  selectOptions([...KEY_LIFETIMES_DAYS.map((days) => [String(days), `${days} days`] as const), [NO_EXPIRY, "No expiry"]], chosen); // oxfmt-ignore

function table(page: KeysPage): Html {
  // Valid keys first; each group newest first.
  const sorted = page.keys.toReversed().sort((a, b) => Number(isOver(a, page.now)) - Number(isOver(b, page.now)));
  return listTable(
    ["Name", "Key", "Scope", "Works from", "Created", "Last used", "Expires"],
    sorted.map((key) => row(page, key)),
    "Revoke",
  );
}

function row({ place, ownKeyId, now }: KeysPage, key: ApiKey): Html {
  const state = key.revokedAt ? "revoked" : isOver(key, now) ? "expired" : null;
  return html`<tr class="${state ? "over" : ""}">
    <td>${raw(visibleHtml(key.name))} ${key.id === ownKeyId && html`<span class="badge here">this browser</span>`}</td>
    <td data-label="Key"><code>docent_…${key.hint}</code></td>
    <td data-label="Scope">${key.scope}</td>
    <td data-label="Works from">${key.allow === null ? "everywhere" : key.allow.join(" ")}</td>
    <td data-label="Created">${time(key.createdAt)}</td>
    <td data-label="Last used">${key.lastUsedAt ? time(key.lastUsedAt) : "never"}</td>
    <td data-label="Expires">${key.revokedAt ? html`revoked ${time(key.revokedAt)}` : key.expiresAt ? time(key.expiresAt) : "never"}</td>
    <td>${state ? html`<span class="badge">${state}</span>` : html`<a href="/${place.slug}/keys/${key.id}/revoke">Revoke</a>`}</td>
  </tr>`;
}

export const isOver = (key: ApiKey, now: Date): boolean =>
  key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now);

/** Asks for confirmation before a key is revoked, because programs that use it stop working at once. */
export function revokePage(page: {
  place: ShownProject;
  csrfToken: string;
  key: ApiKey;
  isOwn: boolean;
  isLast: boolean;
}): Html {
  const { place, key } = page;
  return dashboardDocument({
    title: `Revoke ${key.name} · ${place.name}`,
    place,
    reader: "member",
    section: "keys",
    body: html`<div class="confirm panel">
      <h2>Revoke the key ${raw(visibleHtml(key.name))}?</h2>
      <p>
        <code>docent_…${key.hint}</code>, ${key.lastUsedAt ? html`last used ${time(key.lastUsedAt)}` : "never used"}. Programs
        that use it are refused from then on. This cannot be undone.
      </p>
      ${page.isOwn && html`<p class="problem">You are signed in with this key: revoking it signs you out.</p>`}
      ${
        page.isLast &&
        html`<p class="problem">
          It is the project's last working key. An admin with an account can create another on this page; without one,
          <code>docent keys create</code> on the server does.
        </p>`
      }
      ${formStart(`/${place.slug}/keys/${key.id}/revoke`, page.csrfToken, "actions")}
        <button class="button primary danger">Revoke key</button>
        <a class="button" href="/${place.slug}/keys">Keep it</a>
      </form>
    </div>`,
  });
}
