/** Where somebody goes after the sign-in. Only a path of our own: `//host` and `/\host` would lead elsewhere. */
export function safeTarget(to: string | null | undefined): string {
  return to && /^\/(?![/\\])[\x21-\x7e]*$/.test(to) ? to : "/";
}
