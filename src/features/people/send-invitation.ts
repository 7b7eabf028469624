import type { Actor } from "#features/accounts/audit.ts";
import type { Invitation } from "#features/accounts/invitations.ts";
import { withoutAddresses } from "#features/mail/mail-text.ts";

export interface SendInvitationDeps {
  baseUrl(): string;
  /** Whether the rate limits of the address and the sender admit another invitation. */
  mayMailInvitation(invitation: { to: string; by: Actor }): boolean;
  /** Queues a mail; null if no mail server is configured. */
  sendMail: ((to: string, mail: { subject: string; text: string }) => Promise<void>) | null;
}

/** Creates the link of an invitation, which is shown once, and mails it if a mail server is configured. */
export async function sendInvitation(
  { baseUrl, sendMail, mayMailInvitation }: SendInvitationDeps,
  { email, expiresAt, offer }: Invitation,
  { token, projectName, by }: { token: string; projectName: string | null; by: Actor },
): Promise<{ email: string; url: string; expiresAt: Date; isSent: boolean }> {
  const url = `${baseUrl()}/-/join/${token}`;
  if (sendMail === null || !mayMailInvitation({ to: email, by })) return { email, url, expiresAt, isSent: false };
  const project = withoutAddresses(projectName ?? "");
  const offered =
    offer.projectId === null
      ? `to work on documentation${offer.isOwner ? ", as an owner of the server," : ""}`
      : `to the documentation ${project === "" ? "project" : `project "${project}"`} as ${offer.role}`;
  await sendMail(email, {
    subject: `Invitation to Docent at ${new URL(baseUrl()).host}`,
    text: `${withoutAddresses(by.name) || "An admin"} invites you ${offered} at ${baseUrl()}. Accept here:

${url}

The link works once, until ${expiresAt.toISOString().slice(0, 16).replace("T", " ")} UTC.
`,
  });
  return { email, url, expiresAt, isSent: true };
}
