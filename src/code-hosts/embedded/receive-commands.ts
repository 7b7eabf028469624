import { isReferenceName } from "#git/references.ts";

/** What a client of `git push` wants done with one reference. */
export interface ReceiveCommand {
  /** Null when the reference is to be made. */
  before: string | null;
  /** Null when it is to be deleted. */
  after: string | null;
  ref: string;
}

export interface ReceiveRequest {
  commands: ReceiveCommand[];
  capabilities: ReadonlySet<string>;
  /** The bytes read so far: what git gets first. */
  head: Buffer;
}

const MAX_COMMANDS = 1_000;
const MAX_HEAD_BYTES = 1024 * 1024;
const COMMAND = /^([0-9a-f]{40}) ([0-9a-f]{40}) (.+)$/s;
const NULL_ID = "0".repeat(40);

/**
 * Reads the commands that stand before the pack in the body of a push (gitprotocol-pack(5)): lines with their length
 * in four hexadecimal digits, ended by `0000`. Null when the body is not of that form.
 */
export async function readReceiveRequest(next: () => Promise<Uint8Array | null>): Promise<ReceiveRequest | null> {
  let head: Buffer = Buffer.alloc(0);
  let offset = 0;
  const commands: ReceiveCommand[] = [];
  let capabilities = new Set<string>();
  const fill = async (length: number): Promise<boolean> => {
    while (head.length < length) {
      const chunk = length > MAX_HEAD_BYTES ? null : await next();
      if (!chunk) return false;
      head = Buffer.concat([head, chunk]);
    }
    return true;
  };
  for (;;) {
    if (!(await fill(offset + 4))) return null;
    const digits = head.toString("latin1", offset, offset + 4);
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : -1;
    if (length === 0) return { commands, capabilities, head };
    if (length <= 4 || commands.length > MAX_COMMANDS || !(await fill(offset + length))) return null;
    const [line = "", list] = head
      .toString("utf8", offset + 4, offset + length)
      .replace(/\n$/, "")
      .split("\0");
    offset += length;
    if (line.startsWith("shallow ")) continue;
    const [, before = "", after = "", ref = ""] = COMMAND.exec(line) ?? [];
    if (ref === "") return null;
    if (list !== undefined) capabilities = new Set(list.trim().split(" "));
    commands.push({ ref, before: before === NULL_ID ? null : before, after: after === NULL_ID ? null : after });
  }
}

/** Why a reference may not be pushed, or null. `published` is the branch that the site is made from. */
export function refusal(command: ReceiveCommand, published: string): string | null {
  const { ref, after } = command;
  if (!/^refs\/(heads|tags)\/./.test(ref)) return "only branches and tags can be pushed";
  if (!isReferenceName(ref)) return "this is not a valid name";
  if (after === null && ref === `refs/heads/${published}`) return "the site is published from this branch";
  return null;
}

const line = (payload: string | Buffer): Buffer => {
  const bytes = Buffer.from(payload);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
};
export const pktLine = line;
export const FLUSH = Buffer.from("0000");
const MAX_BAND_BYTES = 65_515;

/** Git's own answer to a push of which nothing is done, so that the user reads a reason at each reference. */
export function refusalReport(request: ReceiveRequest, reasons: ReadonlyMap<string, string>): Buffer {
  const { capabilities } = request;
  if (!capabilities.has("report-status") && !capabilities.has("report-status-v2")) return FLUSH;
  const report = Buffer.concat([
    line("unpack ok\n"),
    ...request.commands.map(({ ref }) =>
      line(`ng ${ref} ${reasons.get(ref) ?? "another reference of this push was refused"}\n`),
    ),
    FLUSH,
  ]);
  if (!capabilities.has("side-band-64k")) return report;
  const bands: Buffer[] = [];
  for (let start = 0; start < report.length; start += MAX_BAND_BYTES) {
    bands.push(line(Buffer.concat([Buffer.from([1]), report.subarray(start, start + MAX_BAND_BYTES)])));
  }
  return Buffer.concat([...bands, FLUSH]);
}
