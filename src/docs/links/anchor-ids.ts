import GithubSlugger from "github-slugger";

/** One page's ids in the order in which they are given out: github-slugger's rules, so a second `Setup` is `setup-1`. */
export class AnchorIds {
  readonly #slugger = new GithubSlugger();

  /** The id of a heading or a titled component; an explicit id is taken as it stands. */
  next(text: string, explicit: string | null): string {
    if (explicit !== null) return explicit;
    return this.#slugger.slug(text) || this.#slugger.slug("section");
  }
}
