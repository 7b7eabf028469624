import type { DocsConfig } from "#docs/config/docs-config.ts";
import type { Words } from "#docs/words/site-language.ts";
import { filled, html, type Html } from "#kit/pages/markup.ts";

/** Links below every page. */
export function footer(config: DocsConfig, words: Words, { isPrivate }: { isPrivate: boolean }): Html {
  const { columns, socials } = config.footer;
  return html`<footer class="site-footer">
    <div>
      ${columns.map(
        ({ title, links }) =>
          html`<section>
            ${title && html`<p>${title}</p>`}
            <ul>
              ${links.map((link) => html`<li><a href="${link.href}">${link.label}</a></li>`)}
            </ul>
          </section>`,
      )}
      ${
        socials.length > 0
          ? html`<ul class="site-link-row">
              ${socials.map((link) => html`<li><a href="${link.href}" rel="me noopener">${link.label}</a></li>`)}
            </ul>`
          : ""
      }
      <ul class="site-link-row made">
        <li><a href="/llms.txt">llms.txt</a></li>
        ${isPrivate && html`<li><a href="/_docent/sign-out" rel="nofollow">${words.signOut}</a></li>`}
        <li>${filled(words.servedBy, { name: "Docent" })}</li>
      </ul>
    </div>
  </footer>`;
}
