import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import type { RemoteKind } from "#hosts/code-host.ts";
import { HOST_TOKEN, type HostServer } from "#testing/hosts/host-server.ts";
import { runDocent } from "./commands.ts";
import type { Caller } from "./instance.ts";

/** A data directory in a folder with one project, "acme", whose repository stays on a host, made by the commands. */
export async function createConnectedProject(
  host: HostServer,
  at: { kind: RemoteKind; directory: string; environment: Record<string, string>; scope?: "agent" | "admin" },
) {
  const data = path.join(at.directory, "data");
  const tokenFile = path.join(at.directory, "token");
  await writeFile(tokenFile, `${HOST_TOKEN}\n`);
  const docent = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await runDocent([...args, "--data", data, "--json"], {
      environment: at.environment,
    });
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).not.toContain(HOST_TOKEN);
    return JSON.parse(stdout) as Record<string, string>;
  };
  const where = ["--repo", `${host.url}.git`, "--token-file", tokenFile, "--host", at.kind];
  const project = await docent("projects", "create", "Acme", ...where);
  const { key } = await docent("keys", "create", "acme", ...(at.scope === undefined ? [] : ["--scope", at.scope]));
  const caller: Caller = { project: { id: project["id"]! }, key: key! };
  return { data, project, caller, docent };
}
