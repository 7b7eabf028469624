import type { Invitation } from "#features/accounts/invitations.ts";

export interface SendInvitationDeps {
  baseUrl(): string;
  /** Queues a mail; null where this server sends none. */
  sendMail: ((to: string, mail: { subject: string; text: string }) => Promise<void>) | null;
}

/** The link of an invitation as it is shown once, sent by mail too where that is set up. */
export async function sendInvitation(
  { baseUrl, sendMail }: SendInvitationDeps,
  { email, invitedBy, expiresAt }: Invitation,
  token: string,
): Promise<{ email: string; url: string; expiresAt: Date; isSent: boolean }> {
  const url = `${baseUrl()}/-/join/${token}`;
  await sendMail?.(email, {
    subject: `${invitedBy} invites you to Docent`,
    text: `${invitedBy} invites you to work on documentation at ${baseUrl()}. Accept here:

${url}

The link works once, until ${expiresAt.toISOString().slice(0, 16).replace("T", " ")} UTC.
`,
  });
  return { email, url, expiresAt, isSent: sendMail !== null };
}
