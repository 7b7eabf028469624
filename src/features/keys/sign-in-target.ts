/** Redirect target after sign-in. Accepts only local paths: `//host` and `/\host` are addresses of other hosts. */
export function safeTarget(to: string | null | undefined): string {
  return to && /^\/(?![/\\])[\x21-\x7e]*$/.test(to) ? to : "/";
}
