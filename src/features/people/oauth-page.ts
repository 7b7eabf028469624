import { KEY_SCOPES, type KeyScope } from "#kit/levels.ts";
import { dashboardDocument, type InstancePlace } from "#kit/pages/document.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { scopeMeanings } from "#kit/pages/scope-meanings.ts";
import { formStart, selectOptions } from "#kit/pages/post-form.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import type { OauthClient } from "./oauth.ts";

/** Asks a person whether a program may act for them. */
export function consentPage(page: {
  instance: InstancePlace;
  csrfToken: string;
  client: OauthClient;
  /** Parameters of the program, which are submitted again with the decision. */
  asked: Record<string, string>;
  scope: KeyScope;
  /** The reader is an owner of the server. */
  isOwner: boolean;
  /** Target of the redirect. */
  answersTo: string;
}): Html {
  const { client, scope, answersTo, isOwner } = page;
  const name = raw(visibleHtml(client.name));
  return dashboardDocument({
    title: "Let a program in · Docent",
    place: null,
    instance: page.instance,
    reader: "member",
    body: html`<div class="narrow-page">
      <h1>Let a program act for you?</h1>
      <p>It calls itself “${name}”. Anyone can choose a name: continue only if you have just started it yourself.</p>
      <p class="muted">
        It gets a personal access token of yours for 90 days. ${isOwner ? "You own this server, so with the scope admin it may do everything on it." : "It works in every project that you have a role in, never above your role."}
        You can revoke it on your account page.
      </p>
      ${formStart("/-/oauth/authorize", page.csrfToken, "form panel")}
        ${Object.entries(page.asked).map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}" />`)}
        <label>
          It may
          <select name="level">${selectOptions(KEY_SCOPES, scope)}</select>
        </label>
        ${scopeMeanings()}
        <p class="hint">The answer goes to <b>${raw(visibleHtml(answersTo))}</b>.</p>
        <div class="send">
          <button class="button" name="answer" value="deny">Cancel</button>
          <button class="button primary" name="answer" value="allow">Allow</button>
        </div>
      </form>
    </div>`,
  });
}
