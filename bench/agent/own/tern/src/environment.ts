/** Read once when tern starts; a flag wins over a variable. */
export const VARIABLES = {
  TERN_JOBS: "builds at once, as --jobs",
  TERN_CACHE_DIR: "folder of the cache; ~/.cache/tern by default",
  TERN_NO_COLOR: "any value turns colours off",
} as const;
