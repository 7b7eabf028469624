import type { ApiAccess } from "#features/sites/api-addresses/api-access.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";

/** The hosts that a project has asked for descriptions of APIs, and what is kept of each address. */
export function apiPanel({ hosts, proxy, addresses }: ApiAccess, form: (action: string, fields: Html) => Html): Html {
  return html`<h2>APIs</h2>
    <p class="muted">Where the docs name a description as <code>https://…</code>, the server asks its host for it, if the host is named here. It keeps the last good copy.</p>
    ${form(
      "api-hosts",
      html`<label>Hosts <textarea name="hosts" rows="3" maxlength="8000" placeholder="api.example.com" autocomplete="off" spellcheck="false">${hosts.join("\n")}</textarea><small>One on each line. Without any, no address is asked.</small></label>
        <label class="choice"><span><input type="checkbox" name="proxy" value="yes" ${proxy ? raw("checked") : ""} /> Requests that readers try go through this server</span><small>To the servers that the descriptions name, for APIs that browsers may not call (CORS). Nothing of them is kept.</small></label>
        <div class="send"><button class="button">Save</button></div>`,
    )}
    ${
      addresses.length > 0
        ? html`<ul class="offers">${addresses.map(shown)}</ul>
            ${form("api-read", html`<div class="send"><small>They are asked after each push and every half hour.</small> <button class="button">Ask them now</button></div>`)}`
        : ""
    }`;
}

function shown({ address, live, readAt, trouble }: ApiAccess["addresses"][number]): Html {
  const at = readAt?.toISOString() ?? "";
  const read =
    readAt === null
      ? "not read yet"
      : html`read <time datetime="${at}">${at.slice(0, 16).replace("T", " ")} UTC</time>`;
  return html`<li>
    <div>
      <b>${address}</b> ${live ? "" : html`<span class="badge">previews only</span>`}
      <p class="muted">${read}</p>
      ${trouble === null ? "" : html`<p class="trouble">${trouble}</p>`}
    </div>
  </li>`;
}
