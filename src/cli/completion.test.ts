import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { createCommandIo } from "#testing/command-io.ts";
import { completion } from "./completion.ts";
import { COMMANDS } from "./commands.ts";

async function print(shell: string): Promise<string> {
  const { io, said } = createCommandIo();
  await completion.run([shell], io);
  return said.stdout;
}

/** The completions that bash offers for the last word. */
async function offered(...words: string[]): Promise<string[]> {
  const program = `${await print("bash")}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _docent; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "--noprofile", "-c", program, "bash", "docent", ...words], {
    encoding: "utf8",
    env: { PATH: "/usr/bin:/bin", HOME: "/nonexistent" },
  });
  expect(stderr).toBe("");
  return stdout.trim().split("\n");
}

it("completes commands, actions, options and topics in bash", async () => {
  expect(await offered("pro")).toEqual(["projects"]);
  expect(await offered("jobs", "m")).toEqual(["message", "merge"]);
  expect(await offered("projects", "sources", "")).toEqual(["add", "list", "token", "remove"]);
  expect(await offered("jobs", "--json", "wa")).toEqual(["watch"]);
  expect(await offered("jobs", "create", "harbor", "--dr")).toEqual(["--draft", "--dry-run"]);
  expect(await offered("help", "exit")).toEqual(["exit-status"]);
  expect(await offered("")).toEqual(expect.arrayContaining(COMMANDS.map(({ name }) => name)));
});

it.each(["zsh", "fish"])("names every command and its actions for %s", async (shell) => {
  const script = await print(shell);
  for (const { name } of COMMANDS) expect(script).toMatch(new RegExp(`['\\s]${name}[:\\s]`));
  expect(script).toContain("create list show watch message retry diff merge close cancel");
});

it("rejects an unknown shell", async () => {
  await expect(print("toString")).rejects.toThrow("The shell is bash, zsh or fish");
});
