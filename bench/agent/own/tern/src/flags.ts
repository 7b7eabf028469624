/** Flags of the command `tern`. */
export const FLAGS = {
  /** Folder that is watched. */
  "--watch": { type: "string", default: "." },
  /** Milliseconds without a change before a build starts. */
  "--settle": { type: "number", default: 250 },
  /** Builds at once. */
  "--jobs": { type: "number", default: 4 },
  /** Prints what would be built and builds nothing. */
  "--dry-run": { type: "boolean", default: false },
} as const;

/** How the command ends. */
export const EXIT = { done: 0, buildFailed: 3, usage: 64 } as const;
