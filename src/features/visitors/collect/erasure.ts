import type { ErasedAddress } from "#features/visitors/index/erase-address.ts";

/** What was erased of an address, and what could not be, for the caller. */
export interface Erasure {
  /** For IPv6 the /64. */
  address: string;
  visitors: number;
  views: number;
  days: number;
  feedback: number;
  /** Files of damaged bytes that contained it; null when they were left alone. */
  damagedFiles: number | null;
  notReached: string[];
}

export interface ErasedReaders extends ErasedAddress {
  /** Whether everything in the journals was counted first. */
  isSettled: boolean;
  damagedFiles: number | null;
}

export function erasureOf(erased: ErasedReaders, asked: { address: string; hasUnnamedCookies: boolean }): Erasure {
  const { visitors, views, days, feedback, damagedFiles } = erased;
  const { address } = asked;
  return { address, visitors, views, days, feedback, damagedFiles, notReached: limits(erased, asked) };
}

/** What may remain, in words. */
function limits(erased: ErasedReaders, { hasUnnamedCookies }: { hasUnnamedCookies: boolean }): string[] {
  const until = erased.destroyedUntil?.toISOString().slice(0, 10);
  const sentences = [
    until !== undefined &&
      `views counted before ${until}. Their secret was destroyed, so it is unknown which of them belong to this address.`,
    hasUnnamedCookies &&
      "readers who are known by a cookie. Their numbers come from the cookie alone: name its value, too.",
    !erased.isSettled && "views that still wait in the journal. Erase the address again in a minute.",
    !erased.isOutOfFiles &&
      "copies in the database's write-ahead log, which a reader is using now. The server's next checkpoint empties it.",
    erased.isUnusedSpaceLeft &&
      "earlier versions of rows in unused space of the database's files. `docent analytics erase` beside the data directory writes these anew.",
    erased.damagedFiles === null &&
      "bytes of the journal that could not be read, which are deleted within 30 days. A key of the instance reaches them.",
    "programs with a name that Docent does not know, counted before November 2026: name their user agents.",
    "backups of the data directory and the logs of a reverse proxy.",
  ];
  return sentences.filter((sentence) => sentence !== false);
}
