import type { Invitation } from "#features/accounts/invitations.ts";

export interface SendInvitationDeps {
  baseUrl(): string;
  /** Whether the rate limits of the address and the sender admit another invitation. */
  mayMailInvitation(invitation: { to: string; by: string }): boolean;
  /** Queues a mail; null if no mail server is configured. */
  sendMail: ((to: string, mail: { subject: string; text: string }) => Promise<void>) | null;
}

/** Creates the link of an invitation, which is shown once, and mails it if a mail server is configured. */
export async function sendInvitation(
  { baseUrl, sendMail, mayMailInvitation }: SendInvitationDeps,
  { email, invitedBy, expiresAt, offer }: Invitation,
  { token, projectName }: { token: string; projectName: string | null },
): Promise<{ email: string; url: string; expiresAt: Date; isSent: boolean }> {
  const url = `${baseUrl()}/-/join/${token}`;
  if (sendMail === null || !mayMailInvitation({ to: email, by: invitedBy }))
    return { email, url, expiresAt, isSent: false };
  const project = withoutAddresses(projectName ?? "");
  const offered =
    offer.projectId === null
      ? `to work on documentation${offer.isOwner ? ", as an owner of the server," : ""}`
      : `to the documentation ${project === "" ? "project" : `project "${project}"`} as ${offer.role}`;
  await sendMail(email, {
    subject: `Invitation to Docent at ${new URL(baseUrl()).host}`,
    text: `${withoutAddresses(invitedBy) || "An admin"} invites you ${offered} at ${baseUrl()}. Accept here:

${url}

The link works once, until ${expiresAt.toISOString().slice(0, 16).replace("T", " ")} UTC.
`,
  });
  return { email, url, expiresAt, isSent: true };
}

/** Makes a name safe for a mail from this server: mail programs turn text that looks like an address into a link. */
const withoutAddresses = (name: string): string => name.replaceAll(/[^\p{L}\p{M}\p{N} '’-]+/gu, " ").trim();
