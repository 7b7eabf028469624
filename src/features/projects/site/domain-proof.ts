import { createHmac } from "node:crypto";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";

/** DNS record that proves control of a domain. */
export interface DomainRecord {
  name: string;
  value: string;
}

/** Checks in DNS which project a domain belongs to (decision 44). */
export interface DomainProof {
  record(projectId: ProjectId, domain: string): DomainRecord;
  /** `AppError unavailable` if DNS does not respond. */
  isProven(projectId: ProjectId, domain: string): Promise<boolean>;
}

/** Error codes of `resolveTxt` for a name without such records. */
const ABSENT = new Set(["ENOTFOUND", "ENODATA", "ESERVFAIL"]);

/** `resolveTxt` of `node:dns`: each record as a list of strings. */
export function createDomainProof({
  key,
  resolveTxt,
}: {
  key: Buffer;
  resolveTxt(name: string): Promise<string[][]>;
}): DomainProof {
  const record = (projectId: ProjectId, domain: string): DomainRecord => {
    const proof = createHmac("sha256", key).update(`${projectId} ${domain}`).digest("base64url").slice(0, 32);
    return { name: `_docent.${domain}`, value: `docent-site=${proof}` };
  };
  return {
    record,
    async isProven(projectId, domain) {
      const { name, value } = record(projectId, domain);
      try {
        return (await resolveTxt(name)).some((pieces) => pieces.join("") === value);
      } catch (error) {
        if (error instanceof Error && "code" in error && ABSENT.has(String(error.code))) return false;
        const why = "DNS does not answer at the moment. Try again, or have the operator add the domain.";
        throw new AppError("unavailable", why, { cause: error });
      }
    },
  };
}
