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

it("an unknown command prints the list of commands", async () => {
  const { exitCode, stderr } = await runDocent(["photosynthesis"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("serve");
});
