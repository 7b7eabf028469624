const MAX_BAND_BYTES = 65_515;

/** One packet of git's protocol: its length in four hexadecimal digits, then the payload. */
export const pktLine = (payload: string | Buffer): Buffer => {
  const bytes = Buffer.from(payload);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
};
export const FLUSH = Buffer.from("0000");

export const DATA_BAND = 1;
const TEXT_BANDS = [2, 3];

/** A stream's bytes in packets of a side band (gitprotocol-pack(5)). */
export function inBand(band: number, bytes: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += MAX_BAND_BYTES) {
    packets.push(pktLine(Buffer.concat([Buffer.from([band]), bytes.subarray(start, start + MAX_BAND_BYTES)])));
  }
  return packets;
}

interface Bands {
  /** What clients show, by band: git cuts its texts into packets at any place, so they are put together here. */
  texts: Map<number, string>;
  /** All other packets as they were. */
  rest: Buffer[];
}

/** Null for an answer without side bands. */
function readBands(answer: Buffer): Bands | null {
  const texts = new Map<number, Buffer[]>();
  const rest: Buffer[] = [];
  for (let offset = 0; offset < answer.length;) {
    const length = Number.parseInt(answer.toString("latin1", offset, offset + 4), 16);
    const end = offset + Math.max(length, 4);
    if (Number.isNaN(length) || end > answer.length) return null;
    const band = length > 4 ? (answer[offset + 4] ?? 0) : 0;
    if (TEXT_BANDS.includes(band)) texts.set(band, [...(texts.get(band) ?? []), answer.subarray(offset + 5, end)]);
    else if (length === 0 || band === DATA_BAND) rest.push(answer.subarray(offset, end));
    else return null;
    offset = end;
  }
  return { texts: new Map([...texts].map(([band, pieces]) => [band, Buffer.concat(pieces).toString("latin1")])), rest };
}

/** What git tells people in its answer; all of it where it has no side bands. */
export function textIn(answer: Buffer): string {
  const bands = readBands(answer);
  return bands === null ? answer.toString("latin1") : [...bands.texts.values()].join("\n");
}

/**
 * An answer of git with the repository's folder cut out of the texts that its client shows: where it lies is nobody's
 * business. What is no side band stays.
 */
export function hideFolders(answer: Buffer, folders: readonly string[]): Buffer {
  const bands = readBands(answer);
  if (bands === null) return answer;
  const shown = [...bands.texts].flatMap(([band, text]) => {
    const shorter = folders.reduce(
      (long, folder) => long.replaceAll(`${folder}/`, "").replaceAll(folder, "the repository"),
      text,
    );
    return inBand(band, Buffer.from(shorter, "latin1"));
  });
  return Buffer.concat([...shown, ...bands.rest]);
}
