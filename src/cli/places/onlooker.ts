/** What the person who waits sees meanwhile. */
export interface Onlooker {
  signal: AbortSignal;
  say(words: string): void;
  progress(words: string): void;
}
