import type { CommitInfo, Identity, ObjectId } from "./objects.ts";

/** The bytes of a commit object; author and committer are the same, at the same time, in UTC. */
export function serializeCommit(commit: {
  tree: ObjectId;
  parents: readonly ObjectId[];
  message: string;
  author: Identity;
  at: Date;
}): Buffer {
  const who = `${identityText(commit.author)} ${Math.floor(commit.at.getTime() / 1_000)} +0000`;
  const message = commit.message.replaceAll("\0", "").replaceAll("\r\n", "\n").trimEnd();
  return Buffer.from(
    [
      `tree ${commit.tree}`,
      ...commit.parents.map((parent) => `parent ${parent}`),
      `author ${who}`,
      `committer ${who}`,
      "",
      `${message}\n`,
    ].join("\n"),
  );
}

// Removes characters that would end the field or start another one.
const plain = (text: string): string => text.replaceAll(/[\p{Cc}<>]+/gu, " ").trim();

function identityText(identity: Identity): string {
  return `${plain(identity.name) || "Unknown"} <${plain(identity.email).replaceAll(/\s/g, "")}>`;
}

const MAX_INSTANT = 8.64e15;
const TRAILER = /^([A-Za-z0-9][A-Za-z0-9-]*): +([^ ].*)$/s;

/** Parses `Name <email> seconds zone`; all parts are empty if the address is missing. */
function parsePerson(text: string): { name: string; email: string; seconds: number } {
  const open = text.indexOf("<");
  const close = text.indexOf(">", open);
  if (open === -1 || close === -1) return { name: "", email: "", seconds: 0 };
  const [seconds = "0"] = /^-?\d+/.exec(text.slice(close + 1).trimStart()) ?? [];
  return { name: text.slice(0, open).trimEnd(), email: text.slice(open + 1, close), seconds: Number(seconds) };
}

export function parseCommit(id: ObjectId, content: Buffer): CommitInfo {
  const split = content.indexOf("\n\n");
  const head = content.toString("utf8", 0, split === -1 ? content.length : split);
  const headers = head.split("\n");
  const values = (key: string) =>
    headers.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
  const message = split === -1 ? "" : decode(content.subarray(split + 2), values("encoding")[0]);
  const { name, email, seconds } = parsePerson(values("author")[0] ?? "");
  return {
    id,
    tree: values("tree")[0] ?? "",
    parents: values("parent"),
    ...parseMessage(message),
    author: { name, email },
    authoredAt: new Date(Math.min(seconds * 1_000, MAX_INSTANT)),
  };
}

function decode(bytes: Uint8Array, encoding = "utf-8"): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes); // unknown encoding
  }
}

function parseMessage(message: string): Pick<CommitInfo, "subject" | "body" | "trailers"> {
  const [subject = "", ...rest] = message.trimEnd().split("\n");
  const paragraphs = rest
    .join("\n")
    .trim()
    .split(/\n{2,}/);
  const last = (paragraphs.at(-1) ?? "").split("\n").map((line) => TRAILER.exec(line));
  if (!last.every((match) => match !== null)) {
    return { subject, body: paragraphs.join("\n\n"), trailers: {} };
  }
  return {
    subject,
    body: paragraphs.slice(0, -1).join("\n\n"),
    trailers: Object.fromEntries(last.map(([, key = "", value = ""]) => [key, value.trim()])),
  };
}
