import type { RemoteKind } from "#hosts/code-host.ts";

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

/** Where an issue is begun, and what the fields of its form are called in the address. */
const ISSUES: Readonly<Record<RemoteKind, { place: string; title: string; body: string }>> = {
  github: { place: "issues/new", title: "title", body: "body" },
  gitlab: { place: "-/issues/new", title: "issue[title]", body: "issue[description]" },
  gitea: { place: "issues/new", title: "title", body: "body" },
  forgejo: { place: "issues/new", title: "title", body: "body" },
};
const MAX_TITLE_LENGTH = 200;

/** Where people write an issue about a page in a browser, with the page's title and address filled in. */
export function issueAddress({ kind, url }: HostedAt, page: { title: string; address: string; path: string }): string {
  const { place, title, body } = ISSUES[kind];
  const about = page.title.slice(0, MAX_TITLE_LENGTH).toWellFormed();
  const fields = new URLSearchParams({ [title]: about, [body]: `${page.address}\n${page.path}\n\n` });
  return `${url}/${place}?${fields.toString()}`;
}
