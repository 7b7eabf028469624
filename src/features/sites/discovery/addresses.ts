/** The absolute address of what a site names: a path below its origin, or an address that is whole already. */
export function absoluteAddress(origin: string, reference: string): string {
  return /^https?:\/\//i.test(reference) ? reference : origin + reference;
}
