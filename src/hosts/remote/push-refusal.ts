import type { PushOutcome } from "#hosts/code-host.ts";

/** Messages of hosts that refuse a push, and what a person can do about each. */
const RULES: readonly { said: RegExp; advice: string; isOfChange?: true }[] = [
  // GitHub (2026): GH001 large files, GH006 protected branch, GH007 private e-mail, GH009 secrets, GH013 rulesets
  { said: /GH001|exceeds .*file size limit/i, advice: "A file is larger than the host takes.", isOfChange: true },
  {
    said: /GH009|push protection|secret.*detected/i,
    advice: "The host found a secret in the change.",
    isOfChange: true,
  },
  {
    said: /permission .*denied|write access .*not granted/i,
    advice: "The token may not push to this repository. Give the project one that may.",
  },
  {
    said: /refusing to allow .* workflow|without `?workflows?`? (scope|permission)/i,
    advice: "The token may not change workflow files. The agent leaves them alone; so must the branch.",
    isOfChange: true,
  },
  {
    said: /\b(?:un)?signed\b|\bsignatures?\b|\bGPG\b/i,
    advice: "The host wants signed commits. Ask an administrator to exempt the branches of agents.",
  },
  {
    said: /GH006|GH013|protected branch|protected_branch|rule violations|ruleset|not allowed to (push|force push)/i,
    advice: "A rule protects this branch. Ask an administrator to let this token push to the branches of agents.",
  },
  {
    said: /archived|read[- ]only|read only/i,
    advice: "The repository is archived or read-only. Ask its owner to open it.",
  },
  {
    said: /quota|storage limit|over .*limit|size limit/i,
    advice: "The repository is over its host's limits. Ask its owner to make room.",
  },
  {
    said: /pre-receive hook declined|push rule|declined|does not follow the pattern|GL-HOOK-ERR/i,
    advice: "A rule of the host refused the push. Ask an administrator to exempt the commits of this token.",
  },
];

/** A rejected push, explained with who has to act. */
export interface PushRefusal {
  push: PushOutcome;
  /** What blocks every push to this repository; null when only this change or this name is refused. */
  trouble: string | null;
}

export function readRefusal(host: string, said: string): PushRefusal {
  const words = said.replaceAll(/\s+/g, " ").slice(0, 500);
  if (
    /cannot lock ref|exists; cannot create|directory file conflict|D\/F conflict|unable to create .* (is a|not a) directory/i.test(
      said,
    )
  ) {
    const push = { outcome: "name_taken", reason: `${host} has a branch above or below this name.` } as const;
    return { push, trouble: null };
  }
  const rule = RULES.find(({ said: pattern }) => pattern.test(said));
  const reason = `${rule?.advice ?? `${host} refused the push.`} It said: ${words}`;
  return { push: { outcome: "denied", reason }, trouble: rule?.isOfChange ? null : reason };
}
