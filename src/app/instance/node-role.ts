import { AppError } from "#lib/app-error.ts";

/** What one process does: answer requests (`web`), work in the background (`worker`), or both. */
export const NODE_ROLES = ["all", "web", "worker"] as const;
export type NodeRole = (typeof NODE_ROLES)[number];

/** `AppError invalid` where the other settings do not allow a role. */
export function requireNodeRole(
  role: NodeRole,
  settings: { DATABASE_URL?: unknown; DOCENT_BASE_URL?: unknown },
): NodeRole {
  const refuse = (problem: string) => new AppError("invalid", `The configuration is not valid. ${problem}`);
  if (role !== "all" && settings.DATABASE_URL === undefined) {
    throw refuse(`DOCENT_ROLE: ${role} needs DATABASE_URL, because with SQLite one process does everything`);
  }
  if (role === "worker" && settings.DOCENT_BASE_URL === undefined) {
    throw refuse(
      "DOCENT_BASE_URL: a worker needs the address of the web nodes, because the links of pull requests, mail and webhooks begin with it",
    );
  }
  return role;
}
