import type { SourceRepository } from "#hosts/sources/sources.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { time } from "#kit/pages/document.ts";

/** The repositories that a project's agent reads, and the state of their sync. */
export function sourceFacts(sources: readonly SourceRepository[]): Html {
  return html`${sources.map(
    ({ name, url, branch, syncedAt, trouble }) =>
      html`<dt>Source ${name}</dt>
        <dd>
          <a href="${url}">${url}</a>, <code>${branch}</code><br />
          <small class="hint">Current as of ${syncedAt ? time(syncedAt) : "not yet"}</small>
          ${trouble !== null && html`<br /><span class="trouble">${trouble}</span>`}
        </dd>`,
  )}`;
}
