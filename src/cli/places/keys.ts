/** A key as commands print it, without the key itself. */
export interface ShownKey {
  id: string;
  name: string;
  hint: string;
  scope: string;
  /** Addresses and ranges that it works from; null: everywhere. */
  allow: string[] | null;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
}

export interface NewKey {
  name: string;
  scope: string;
  expiresInDays: number | null;
  allow: string[] | null;
}

/** What can be done with the keys of a project or of the instance. Throws `AppError`. */
export interface KeyActions extends AsyncDisposable {
  /** Whose they are, for people; null for the instance. */
  project: { id: string; name: string } | null;
  create(asked: NewKey): Promise<ShownKey & { key: string }>;
  list(): Promise<ShownKey[]>;
  revoke(id: string): Promise<ShownKey>;
}
