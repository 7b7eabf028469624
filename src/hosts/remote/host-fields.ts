import { z } from "zod";

/** The id of a commit; empty where the host does not give one. It is passed to git. */
export const CommitId = z.string().regex(/^(?:[0-9a-f]{40})?$/);
/** A web address that people open: http or https. */
export const WebAddress = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""));
export const HostInstant = z.string().refine((text) => !Number.isNaN(Date.parse(text)));
