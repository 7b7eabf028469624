/** Receives progress while a command waits. */
export interface ProgressListener {
  signal: AbortSignal;
  say(words: string): void;
  /** For terminals only: scripts do not need it. */
  reassure(words: string): void;
  progress(words: string): void;
}
