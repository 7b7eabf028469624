import { isUtf8 } from "node:buffer";
import { isBranchName, isReferenceName } from "#git/refs/references.ts";
import { DATA_BAND, FLUSH, inBand, pktLine } from "./side-band.ts";

/** What a client of `git push` wants done with one reference. */
export interface ReceiveCommand {
  /** Null when the reference is to be made. */
  before: string | null;
  /** Null when it is to be deleted. */
  after: string | null;
  ref: string;
  /** The name as it was sent, which need not be text. */
  name: Buffer;
}

export interface ReceiveRequest {
  commands: ReceiveCommand[];
  capabilities: ReadonlySet<string>;
}

/** A repository with all its tags comes in one push. */
export const MAX_COMMANDS = 5_000;
/** More are still read, so that the client gets an answer that it can show. */
const MAX_HEAD_BYTES = 16 * 1024 * 1024;
const COMMAND = /^([0-9a-f]{40}) ([0-9a-f]{40}) $/;
const IDS_LENGTH = 82;
const NULL_ID = "0".repeat(40);

/**
 * Reads the commands that stand before the pack in the body of a push (gitprotocol-pack(5)): lines with their length
 * in four hexadecimal digits, ended by `0000`. Null when the body is not of that form.
 */
export async function readReceiveRequest(body: AsyncIterable<Buffer>): Promise<ReceiveRequest | null> {
  const chunks = body[Symbol.asyncIterator]();
  let pending: Buffer = Buffer.alloc(0);
  let seen = 0;
  const take = async (length: number): Promise<Buffer | null> => {
    while (pending.length < length) {
      const chunk = seen > MAX_HEAD_BYTES ? null : await chunks.next();
      if (!chunk || chunk.done === true) return null;
      seen += chunk.value.length;
      pending = Buffer.concat([pending, chunk.value]);
    }
    const taken = pending.subarray(0, length);
    pending = pending.subarray(length);
    return taken;
  };
  const commands: ReceiveCommand[] = [];
  let capabilities = new Set<string>();
  try {
    for (;;) {
      const digits = (await take(4))?.toString("latin1") ?? "";
      const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : -1;
      if (length === 0) return { commands, capabilities };
      const line = length > 4 ? await take(length - 4) : null;
      if (!line) return null;
      if (line.toString("latin1").startsWith("shallow ")) continue;
      const command = readCommand(line);
      if (!command) return null;
      if (command.list !== null) capabilities = new Set(command.list.trim().split(" "));
      commands.push(command.command);
    }
  } finally {
    await chunks.return?.();
  }
}

function readCommand(line: Buffer): { command: ReceiveCommand; list: string | null } | null {
  const [, before = "", after = ""] = COMMAND.exec(line.toString("latin1", 0, IDS_LENGTH)) ?? [];
  const nul = line.indexOf(0);
  const end = nul === -1 ? line.length - (line.at(-1) === 0x0a ? 1 : 0) : nul;
  const name = Buffer.from(line.subarray(IDS_LENGTH, end));
  if (before === "" || name.length === 0) return null;
  return {
    command: {
      name,
      ref: name.toString("utf8"),
      before: before === NULL_ID ? null : before,
      after: after === NULL_ID ? null : after,
    },
    list: nul === -1 ? null : line.toString("utf8", nul + 1),
  };
}

/** Why a reference may not be pushed, or null. `published` is the branch that the site is made from. */
export function pushRefusal(command: ReceiveCommand, published: string): string | null {
  const { ref, name, before, after } = command;
  const [, short = ""] = /^refs\/(?:heads|tags)\/(.+)$/s.exec(ref) ?? [];
  if (short === "") return null; // git refuses it, and takes the branches and tags of the push: those of `push --mirror`
  if (!isUtf8(name) || !isReferenceName(ref)) return "this is not a valid name";
  // Git's own commands refuse to make these and read them as something else; those that are there can be deleted.
  if (before === null && !isBranchName(short)) return "git takes this name for something else";
  // A push of `main` would find two branches of that name from then on, and take neither.
  if (before === null && short.startsWith("refs/")) return "git takes this name for something else";
  if (after === null && ref === `refs/heads/${published}`) return "the site is published from this branch";
  return null;
}

/** Reasons for the references of a push that may not be pushed, or for all when they are too many. */
export function pushRefusals(request: ReceiveRequest, published: string): Map<ReceiveCommand, string> {
  const reasons = new Map<ReceiveCommand, string>();
  const isTooMany = request.commands.length > MAX_COMMANDS;
  // Git's own receive-pack leaves out the references that it refuses, and moves the others even of an atomic push.
  const isAtomic = request.capabilities.has("atomic");
  for (const command of request.commands) {
    const reason = isTooMany
      ? `a push may move ${MAX_COMMANDS} references; push in parts`
      : isAtomic && !/^refs\/(?:heads|tags)\/./.test(command.ref)
        ? "only branches and tags are kept here"
        : pushRefusal(command, published);
    if (reason !== null) reasons.set(command, reason);
  }
  return reasons;
}

/** Git's own answer to a push that is refused as a whole: the user reads a reason at each reference. */
export function refusalReport(request: ReceiveRequest, reasons: ReadonlyMap<ReceiveCommand, string>): Buffer {
  const { capabilities } = request;
  if (!capabilities.has("report-status") && !capabilities.has("report-status-v2")) return FLUSH;
  const report = Buffer.concat([
    pktLine("unpack ok\n"),
    ...request.commands.map((command) => {
      const reason = reasons.get(command) ?? "another reference of this push was refused";
      return pktLine(Buffer.concat([Buffer.from("ng "), command.name, Buffer.from(` ${reason}\n`)]));
    }),
    FLUSH,
  ]);
  if (!capabilities.has("side-band-64k")) return report;
  return Buffer.concat([...inBand(DATA_BAND, report), FLUSH]);
}
