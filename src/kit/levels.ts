/** What a key may do; each scope includes those before it. */
export const KEY_SCOPES = ["read", "agent", "write", "admin"] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Descriptions for the person who creates a key. */
export const SCOPE_MEANINGS: Record<KeyScope, string> = {
  read: "read jobs, deployments, visitor counts and private pages; clone with git",
  agent: "all of read; create, follow up and cancel jobs, run automations, send views",
  write: "all of agent; push with git, merge and close pull requests, roll the site back",
  admin: "all of write; change settings, keys and members",
};

export const isKeyScope = (text: string): text is KeyScope => KEY_SCOPES.some((scope) => scope === text);

/** A person's role in a project. */
export const ROLES = ["reader", "viewer", "editor", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Descriptions for the person who invites. */
export const ROLE_MEANINGS: Record<Role, string> = {
  reader: "reads the site, also when it is private",
  viewer: "sees jobs, pull requests and visitors, comments on pull requests",
  editor: "and runs jobs, merges, rolls the site back",
  admin: "and changes settings, keys and members",
};

export const isRole = (text: string): text is Role => ROLES.some((role) => role === text);

/**
 * Permissions in rising order; each includes those before it. The scopes of keys are levels; `site`, which opens a private
 * site alone, is for readers.
 */
const LEVELS = ["site", "read", "agent", "write", "admin"] as const;
export type Level = (typeof LEVELS)[number];

/** The one place that says what a role may do. */
export const LEVEL_OF_ROLE: Record<Role, Level> = {
  reader: "site",
  viewer: "read",
  editor: "write",
  admin: "admin",
};

/** The lowest role that permits what needs `needed`. */
export const roleFor = (needed: Level): Role =>
  ROLES.find((role) => allowsScope(LEVEL_OF_ROLE[role], needed)) ?? "admin";

/** The refusal of everything but the site. */
export const NOT_FOR_READERS = "Your role in this project is reader, which opens its site and nothing else.";

/** Whether the level or scope `has` permits what needs `needed`. */
export const allowsScope = (has: Level, needed: Level): boolean => LEVELS.indexOf(has) >= LEVELS.indexOf(needed);
