/** How many of each there are left: what is taken from what was there before is not new. */
export class Leftovers {
  readonly #left = new Map<string, number>();

  add(key: string): void {
    this.#left.set(key, (this.#left.get(key) ?? 0) + 1);
  }

  take(key: string): boolean {
    const left = this.#left.get(key) ?? 0;
    if (left > 0) this.#left.set(key, left - 1);
    return left > 0;
  }
}
