/** What the person who waits sees meanwhile. */
export interface ProgressListener {
  signal: AbortSignal;
  say(words: string): void;
  /** That it goes on, where a person watches: a script has no use for it. */
  reassure(words: string): void;
  progress(words: string): void;
}
