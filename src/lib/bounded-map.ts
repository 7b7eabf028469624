/** A map that forgets its oldest entry beyond `limit`. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #limit: number;
  // Kept, and so always at the oldest entry. A new one would walk over everything that was forgotten since the table
  // was last made: 0.05 ms a call in a map of 300,000, which a flood of new keys pays each time.
  #oldest = this.keys();

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#limit) {
      let next = this.#oldest.next();
      if (next.done === true) {
        this.#oldest = this.keys(); // it came to the end of a map that was emptied
        next = this.#oldest.next();
      }
      if (next.done !== true) this.delete(next.value);
    }
    return this;
  }
}
