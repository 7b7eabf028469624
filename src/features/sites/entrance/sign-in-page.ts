import type { ThemeFiles } from "#kit/pages/browser-modules.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { ownDocument } from "#features/sites/theme/own-document.ts";

export const SIGN_IN_PATH = "/_docent/sign-in";
export const SIGN_OUT_PATH = "/_docent/sign-out";

/** What somebody sees who is not let in: the same for every site and every path of it. */
export function signInDocument(
  files: ThemeFiles,
  { base, to, way, problem }: { base: string; to: string; way: "password" | "links"; problem: string | null },
): string {
  const form = html`<form class="site-sign-in" method="post" action="${SIGN_IN_PATH}">
    <input type="hidden" name="to" value="${to}" />
    <label>Password <input name="password" type="password" autocomplete="current-password" maxlength="200" required autofocus /></label>
    <button type="submit">Open</button>
  </form>`;
  return privateDocument(
    files,
    base,
    html`<h1>This site is private</h1>
      ${problem === null ? "" : html`<p role="alert">${problem}</p>`}
      ${way === "password" ? html`<p>Enter its password to read it.</p>${form}` : html`<p>It opens by a link that its owners give out. If you had one, ask them for another.</p>`}`,
  );
}

/** Asks before it signs out: an address that did so by itself could be anybody's. */
export function signOutDocument(files: ThemeFiles, base: string): string {
  return privateDocument(
    files,
    base,
    html`<h1>Sign out</h1><form class="site-sign-in" method="post" action="${SIGN_OUT_PATH}"><button type="submit">Sign out of this site</button></form>`,
  );
}

/** After signing out. */
export function signedOutDocument(files: ThemeFiles, base: string): string {
  return privateDocument(
    files,
    base,
    html`<h1>Signed out</h1><p>This browser cannot read the site any more. <a href="/">Open it again</a></p>`,
  );
}

function privateDocument(files: ThemeFiles, base: string, body: Html): string {
  return ownDocument(files, { title: "Private site", base, body });
}
