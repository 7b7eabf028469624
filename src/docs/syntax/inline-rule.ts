export interface InlinePlace {
  source: string;
  index: number;
}

/** A tool's inline syntax and its replacement in Markdown or HTML; null leaves a match unchanged. */
export interface InlineRule {
  /** A substring that every page with this syntax contains. */
  sign: string;
  pattern: string;
  replace(groups: Readonly<Record<string, string | undefined>>, at: InlinePlace): string | null;
  /** Whether it also applies inside addresses and tags. */
  isEverywhere?: boolean;
}
