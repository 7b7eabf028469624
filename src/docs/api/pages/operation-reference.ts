/** An operation as a page or a navigation names it: `openapi.json GET /users`, `GET /users`, `webhook created`. */
export interface OperationReference {
  /** Null when the file is not named and has to be searched for. */
  file: string | null;
  method: string;
  path: string;
}

const REFERENCE =
  /^(?:(\S.{0,498}?)\s+)??(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE|QUERY|WEBHOOK)\s+(\S.{0,1998})$/is;

export function readOperationReference(written: string): OperationReference | null {
  const [, file, method, path] = REFERENCE.exec(written.trim()) ?? [];
  if (method === undefined || path === undefined) return null;
  return { file: file ?? null, method: method.toUpperCase(), path: path.trim() };
}

/** A channel as a page names it: `asyncapi.yaml chat`, or `chat` when the file has to be searched for. */
export function readChannelReference(written: string): { file: string | null; channel: string } | null {
  const [, file, channel] = /^(?:(\S{1,500}\.(?:json|ya?ml))(?:\s+|$))?(\S.{0,1999})?$/is.exec(written.trim()) ?? [];
  return channel === undefined ? null : { file: file ?? null, channel: channel.trim() };
}

/** The path, below the site's root, of a file that a docs.json or a page names; null for an address. */
export function apiFilePath(written: string): string | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(written)) return null;
  const parts: string[] = [];
  for (const part of written.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.length === 0 ? null : parts.join("/");
}
