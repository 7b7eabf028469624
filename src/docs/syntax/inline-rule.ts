export interface InlinePlace {
  source: string;
  index: number;
}

/** Something that a tool writes within a line, and what it becomes as Markdown or HTML; null leaves it as it is. */
export interface InlineRule {
  /** What a page has at least if it has any of it. */
  sign: string;
  pattern: string;
  replace(groups: Readonly<Record<string, string | undefined>>, at: InlinePlace): string | null;
  /** Whether it may stand in addresses and tags, too. */
  isEverywhere?: boolean;
}
