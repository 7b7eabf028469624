import type { RemoteKind } from "./code-host.ts";

/** Hosts as people call them. */
export const HOST_NAMES: Record<RemoteKind, string> = {
  github: "GitHub",
  gitlab: "GitLab",
  gitea: "Gitea",
  forgejo: "Forgejo",
};
