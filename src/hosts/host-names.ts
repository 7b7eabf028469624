import type { RemoteKind } from "./code-host.ts";

/** Display names of the hosts. */
export const HOST_NAMES: Record<RemoteKind, string> = {
  github: "GitHub",
  gitlab: "GitLab",
  gitea: "Gitea",
  forgejo: "Forgejo",
};
