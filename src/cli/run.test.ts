import { expect, it } from "vitest";
import { runDocent } from "#test/support/commands.ts";

it.each([
  ["job", 'docent: there is no command "job". Did you mean "docent jobs"?\n'],
  ["sevre", 'docent: there is no command "sevre". Did you mean "docent serve"?\n'],
])("suggests a similar command: %s", async (name, told) => {
  expect(await runDocent([name])).toMatchObject({ exitCode: 2, stderr: told });
});

it("suggests a similar topic of help", async () => {
  const told = 'docent: there is no command and no topic "chores". Did you mean "docent help chore"?\n';
  expect(await runDocent(["help", "chores"])).toMatchObject({ exitCode: 2, stderr: told });
});

it("suggests a similar action", async () => {
  const { exitCode, stderr } = await runDocent(["chore", "replace-trem", "harbor-docs"]);
  expect([exitCode, stderr.split("\n")[0]]).toEqual([
    2,
    'docent: There is no "chore replace-trem". Did you mean "docent chore replace-term"?',
  ]);
});

it("lists the chores in the help, and their options in the help for one", async () => {
  const { stdout } = await runDocent(["chore", "--help"]);
  expect(stdout).toMatch(/^ {2}rename-group +Gives a group of the navigation another title$/m);
  expect(stdout).not.toContain("--glossary");
  expect((await runDocent(["help", "chore", "rename-group"])).stdout).toMatch(
    /^docent chore rename-group PROJECT --group/,
  );
});

it("an unknown command prints the list of commands", async () => {
  const { exitCode, stderr } = await runDocent(["photosynthesis"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("serve");
});
