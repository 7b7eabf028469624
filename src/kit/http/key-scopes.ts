/** What a key may do, each with all that those before it may. */
export const KEY_SCOPES = ["read", "agent", "admin"] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** In words for the person who makes a key. */
export const SCOPE_MEANINGS: Record<KeyScope, string> = {
  read: "reads",
  agent: "reads, has jobs done",
  admin: "everything",
};

export const isKeyScope = (text: string): text is KeyScope => KEY_SCOPES.some((scope) => scope === text);

/** Whether a key with the scope `has` may do what needs the scope `needed`. */
export const allowsScope = (has: KeyScope, needed: KeyScope): boolean =>
  KEY_SCOPES.indexOf(has) >= KEY_SCOPES.indexOf(needed);
