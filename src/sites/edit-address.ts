import type { RemoteKind } from "#code-hosts/code-host.ts";

/** Where the repository of a site is for people. */
export interface HostedAt {
  kind: RemoteKind;
  /** Address of the repository at its host, without a slash at its end. */
  url: string;
}

/** What stands between a repository's address and the branch, where its host opens a file for editing. */
const EDITORS: Readonly<Record<RemoteKind, string>> = {
  github: "edit",
  gitlab: "-/edit",
  gitea: "_edit",
  forgejo: "_edit",
};

/** Where people edit a file of a branch in a browser; the host asks those who may not write to propose it. */
export function editAddress({ kind, url }: HostedAt, { branch, path }: { branch: string; path: string }): string {
  const place = [...branch.split("/"), ...path.split("/")].map(encodeURIComponent).join("/");
  return `${url}/${EDITORS[kind]}/${place}`;
}
