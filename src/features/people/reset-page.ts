import { dashboardDocument } from "#kit/pages/document.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { problemNote } from "#kit/pages/post-form.ts";

const narrow = (title: string, body: Html): Html =>
  dashboardDocument({
    title: `${title} · Docent`,
    place: null,
    reader: "stranger",
    body: html`<div class="narrow-page">${body}</div>`,
  });

/** Page that requests a password reset link. */
export function forgotPage(page: { email: string; problem: string | null; isSent: boolean }): Html {
  if (page.isSent) {
    return narrow(
      "Look at your mail",
      html`<h1>Look at your mail</h1>
        <p>If ${page.email} has an account with a password, a link to set a new one is on its way. It works for an hour.</p>
        <p><a href="/sign-in">Back to the sign-in</a></p>`,
    );
  }
  return narrow(
    "Forgot your password?",
    html`<h1>Forgot your password?</h1>
      <p class="muted">Enter the address of your account, and get a link to set a new one.</p>
      ${problemNote(page.problem)}
      <form class="form panel" method="post" action="/-/forgot">
        <label>Email address <input name="email" type="email" required maxlength="254" autocomplete="username" value="${page.email}" /></label>
        <div class="send"><a href="/sign-in">Back</a> <button class="button primary">Send the link</button></div>
      </form>`,
  );
}

/** Page behind the link. */
export const newPasswordPage = ({ token, problem }: { token: string; problem: string | null }): Html =>
  narrow(
    "New password",
    html`<h1>Set a new password</h1>
      <p class="muted">Your sessions and personal access tokens end.</p>
      ${problemNote(problem)}
      <form class="form panel" method="post" action="/-/reset">
        <input type="hidden" name="token" value="${token}" />
        <label>New password <input name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="200" /></label>
        <div class="send"><button class="button primary">Set password</button></div>
      </form>`,
  );
