/** Called around each build. A hook that takes longer than 1500 ms is ended, and the build goes on. */
export const HOOKS = ["beforeBuild", "afterBuild", "buildFailed"] as const;
export const HOOK_TIMEOUT_MS = 1500;
