import { z } from "zod";

/** The id of a commit; empty where a host has none to tell. It goes on to git. */
export const CommitId = z.string().regex(/^(?:[0-9a-f]{40})?$/);
/** An address that people open: http or https. */
export const WebAddress = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""));
export const HostInstant = z.string().refine((text) => !Number.isNaN(Date.parse(text)));
