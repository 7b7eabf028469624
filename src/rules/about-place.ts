import type { ChoreCall } from "./chores/chore-form.ts";
import { hasTrait } from "./chores/chore-traits.ts";
import type { Understanding } from "./understanding.ts";

/** The place that “Follow up” at a changed line writes before an instruction. */
export interface AboutPlace {
  path: string;
  line: number;
  /** The prefix as written. */
  prefix: string;
  request: string;
}

const PREFIX = /^\s*In (?<path>[^\s:][^:\n]{0,500}), line (?<line>\d{1,9}):\s*(?<request>\S[^]*)$/;

/** `In docs/install.md, line 47: Replace …`; null for any other request. */
export function placeOfRequest(request: string): AboutPlace | null {
  const { path, line, request: rest } = PREFIX.exec(request)?.groups ?? {};
  if (path === undefined || line === undefined || rest === undefined) return null;
  return { path, line: Number(line), prefix: `In ${path}, line ${line}: `, request: rest };
}

/**
 * The meaning of a request about a place: each chore is held to the file. Refused as a whole if a chore cannot be held to
 * it, or names another place.
 */
export function aboutPlace(place: AboutPlace, read: (request: string) => Understanding): Understanding {
  const plain = read(place.request);
  // “Add a note with the text "…"” lacks its page.
  const understanding = plain.refused.length === 0 ? plain : (ofThisPage(place, read) ?? plain);
  const held = understanding.calls.map((call) => heldTo(place.path, call));
  const stray = understanding.calls[held.indexOf(null)];
  if (understanding.refused.length === 0 && stray === undefined)
    return { ...understanding, calls: held.flatMap((call) => call ?? []) };
  if (understanding.refused.length === 0) {
    const reason = `it is not only about ${place.path}. Leave out “${place.prefix.trim()}”, or name no other place`;
    return { calls: [], understood: [], refused: [{ clause: place.request.slice(0, 300), reason }], hint: null };
  }
  // A sentence without the place would change all docs.
  const hint = understanding.hint?.split("\n").map((line) => (line.endsWith(":") ? line : place.prefix + line));
  return { ...understanding, hint: hint?.join("\n") ?? null };
}

/** The request with its page named at its end or start, if that means one chore of this page. */
function ofThisPage({ path, request }: AboutPlace, read: (request: string) => Understanding): Understanding | null {
  const sentence = request.trim().replace(/[.!\s]+$/, "");
  if (path.includes('"')) return null;
  const readings = [`On the page "${path}", ${lowerFirst(sentence)}`, `${sentence} on the page "${path}"`].map(read);
  return (
    readings.find(({ calls, refused }) => {
      const [call, second] = calls;
      return refused.length === 0 && second === undefined && call !== undefined && isOfPage(path, call);
    }) ?? null
  );
}

const isOfPage = (path: string, { input }: ChoreCall): boolean =>
  input["page"] === path || (Array.isArray(input["in"]) && input["in"].length === 1 && input["in"][0] === path);

function heldTo(path: string, call: ChoreCall): ChoreCall | null {
  if (isOfPage(path, call)) return call;
  const { tool, input } = call;
  const mayBeHeld = hasTrait(tool, "isHeldToAPart") || tool === "undo_changes";
  if (!mayBeHeld || input["in"] !== undefined || input["except"] !== undefined) return null;
  return { tool, input: { ...input, in: [path] } };
}

/** What the report says, as no chore works on one line. */
export const wholePageNote = ({ path, line }: AboutPlace): string =>
  `The whole of ${path} was in scope, not only line ${line}: the built-in rules work on pages.`;

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
