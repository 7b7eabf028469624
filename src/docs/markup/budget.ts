/** The limits for evaluating a page's expressions and snippets. */
export class Budget {
  #steps = 20_000;
  #nodes = 200_000;
  #characters = 4_000_000;

  step(): void {
    this.#steps -= 1;
    if (this.#steps < 0) throw new PageProblem("its expressions take too many steps");
  }

  addNode(): void {
    this.#nodes -= 1;
    if (this.#nodes < 0) throw new PageLimit("The page grows to more than 200,000 elements.");
  }

  /** Checks one string, and the total that the page has built so far. */
  text(value: string): string {
    if (value.length > 100_000) throw new PageProblem("a text grows beyond 100,000 characters");
    this.#characters -= value.length;
    if (this.#characters < 0) throw new PageProblem("its expressions build too much text");
    return value;
  }
}

/** An expression that cannot be evaluated: a warning at its place, and the page continues. */
export class PageProblem extends Error {
  override name = "PageProblem";
}

/** The whole page exceeds a limit and is shown as plain text. */
export class PageLimit extends Error {
  override name = "PageLimit";
}
