import { existsSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cancelJob } from "#features/jobs/requests/cancel.ts";
import type { JobId } from "#lib/ids.ts";
import { createCommandIo } from "#testing/command-io.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { requireProject } from "#features/projects/projects.ts";
import { automations } from "./jobs/automations.ts";
import type { Command } from "./command/command.ts";
import { jobs } from "./jobs/jobs.ts";
import { projects } from "./projects/projects.ts";
import { webhooks } from "./jobs/webhooks.ts";
import { openInstance } from "./command/open-instance.ts";

interface Shown {
  id: string;
  secret: string;
  events: string[];
  trigger: object;
  type: string;
  status: string;
}

/** A runner for commands on a new data directory with a project `harbor`, and no server. */
async function createCommandLine() {
  const directory = await createTestDirectory();
  onTestFinished(directory.dispose);
  const data = path.join(directory.path, "data");
  const start = (command: Command, ...args: string[]) => {
    const { io, said: written } = createCommandIo();
    return { written, end: command.run([...args, "--data", data], io) };
  };
  async function run(...command: Parameters<typeof start>): Promise<{ stdout: string; stderr: string }> {
    const { written, end } = start(...command);
    await end;
    return written;
  }
  const json = async (command: Command, ...args: string[]) =>
    JSON.parse((await run(command, ...args, "--json")).stdout) as Shown & Shown[];
  await run(projects, "create", "harbor");
  return { data, start, run, json };
}

test("webhooks can be created, listed and deleted from the command line", async () => {
  const { data, run, json } = await createCommandLine();
  const made = await json(webhooks, "create", "harbor", "https://1.1.1.1/hooks", "--event", "job.failed");
  expect(made).toMatchObject({ url: "https://1.1.1.1/hooks", events: ["job.failed"] });
  expect(made.secret).toMatch(/^whsec_/);
  expect(existsSync(path.join(data, "secrets.key"))).toBe(true);
  const [listed] = await json(webhooks, "list", "harbor");
  expect(listed).toMatchObject({ id: made.id });
  expect(listed).not.toHaveProperty("secret");
  expect((await run(webhooks, "list", "harbor")).stdout).toContain(
    `${made.id}  https://1.1.1.1/hooks  standard  enabled  job.failed`,
  );
  expect(await json(webhooks, "deliveries", "harbor", made.id)).toEqual([]);
  const sent = await json(webhooks, "test", "harbor", made.id);
  expect(sent).toMatchObject({ type: "webhook.test", status: "pending", jobId: null });
  expect((await run(webhooks, "deliveries", "harbor", made.id)).stdout).toMatch(/dlv_\w+ .*webhook\.test {2}pending/);
  expect(await json(webhooks, "delete", "harbor", made.id)).toEqual({ id: made.id });
  await expect(run(webhooks, "create", "harbor", "http://127.0.0.1/")).rejects.toThrow(
    "127.0.0.1 is not on the public Internet, and the settings of this shell do not allow it: DOCENT_WEBHOOK_ALLOW names " +
      "the hosts and ranges beside it. Set it here, as it is set for the server.",
  );
  await expect(run(webhooks, "create", "harbor", "https://1.1.1.1/", "--event", "x")).rejects.toThrow("--event takes");
  await expect(run(webhooks, "redeliver", "harbor", made.id, "dlv_x")).rejects.toThrow("no such webhook");
});

test("automations can be created, listed, run and deleted from the command line", async () => {
  const { run, json } = await createCommandLine();
  const made = await json(
    automations,
    "create",
    "harbor",
    "Links",
    "Fix the links.",
    "--cron",
    "0 6 * * 1",
    "--time-zone",
    "Europe/Berlin",
  );
  expect(made.trigger).toEqual({ kind: "schedule", cron: "0 6 * * 1", timeZone: "Europe/Berlin" });
  const pushed = await json(automations, "create", "harbor", "Pushes", "Look.", "--push");
  expect(pushed.trigger).toEqual({ kind: "push", branch: "main" });
  expect((await json(automations, "list", "harbor")).map((one) => one.id)).toEqual([pushed.id, made.id]);
  expect(await json(automations, "run", "harbor", made.id)).toMatchObject({ number: 1, messageSeq: 1 });
  expect((await run(automations, "delete", "harbor", made.id)).stdout).toBe(`Deleted ${made.id}.\n`);
  await expect(run(automations, "create", "harbor", "A", "B", "--cron", "x")).rejects.toThrow("five fields");
  await expect(run(automations, "create", "harbor", "A", "B", "--cron", "* * * * *", "--push")).rejects.toThrow(
    "one trigger",
  );
  await expect(run(automations, "create", "harbor", "A", " ")).rejects.toThrow("must not be blank");
});

test("a job can be followed to its end, from any event", async () => {
  const { data, start, run, json } = await createCommandLine();
  const { id } = await json(jobs, "create", "harbor", "Fix it.");
  const { written, end } = start(jobs, "watch", id, "--json");
  await expect.poll(() => written.stdout).toContain("message.received");
  {
    await using instance = await openInstance({ data });
    const project = await requireProject(instance, "harbor");
    await cancelJob({ ...instance, redact: String }, { projectId: project.id, jobId: id as JobId });
  }
  await end;
  const lines = written.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Shown);
  expect(lines.map((line) => line.type ?? line.status)).toEqual([
    "job.created",
    "message.received",
    "job.failed",
    "failed",
  ]);
  expect(process.exitCode).toBe(1);
  process.exitCode = undefined;
  const late = await run(jobs, "watch", id, "--after", "3");
  process.exitCode = undefined;
  expect(late.stdout).toContain("Error    cancelled: The job was cancelled.");
});

test("an interrupt stops following a job without events", async () => {
  const { data, json } = await createCommandLine();
  const { id } = await json(jobs, "create", "harbor", "Fix it.");
  const interrupt = new AbortController();
  const { io, said } = createCommandIo({ signal: interrupt.signal });
  const end = jobs.run(["watch", id, "--json", "--data", data], io).catch((error: unknown) => error);
  await expect.poll(() => said.stdout).toContain("message.received");
  interrupt.abort();
  await end;
  process.exitCode = undefined;
});

test("text of models, people and files never controls the terminal, in messages, tables or JSON", async () => {
  const { data, run, json } = await createCommandLine();
  // Clears the screen, renames the window, reverses text, hides a word in tags, forges a line of Docent.
  const hostile = "a\u001b[2J\u001b]0;owned\u0007\u009b1A\u202eb\u2066c\u{e0041}\u200b\u007f👩‍👩‍👧\r✓ forged: yes";
  const { id } = await json(jobs, "create", "harbor", `Fix it.\n${hostile}`, "--title", hostile.replace("\r", ""));
  {
    await using instance = await openInstance({ data });
    const project = await requireProject(instance, "harbor");
    const said = [
      { type: "tool.finished", ok: true, tool: hostile, summary: `one\n${hostile}` },
      { type: "message", text: `one\n✓ forged: yes\n${hostile}` },
    ];
    for (const [index, { type, ...event }] of said.entries()) {
      const row = { job_id: id as JobId, seq: 100 + index, turn: 1, type, data: JSON.stringify(event), created_at: 0 };
      await instance.database.kysely.insertInto("job_event").values(row).execute();
    }
    await instance.database.kysely
      .updateTable("job")
      .set({ summary: hostile })
      .where("id", "=", id as JobId)
      .execute();
    await cancelJob({ ...instance, redact: String }, { projectId: project.id, jobId: id as JobId });
  }
  process.exitCode = undefined;
  const acting = /(?![\n\u200d])[\p{Cc}\p{Cf}]/u;
  for (const args of [
    ["watch", id],
    ["show", id],
    ["watch", id, "--json"],
    ["show", id, "--json"],
  ]) {
    // oxfmt-ignore
    const { stdout } = await run(jobs, ...args);
    expect(stdout).toContain("\\u001b[2J");
    expect(stdout).toContain("👩‍👩‍👧");
    expect(stdout).not.toMatch(acting);
    expect(args.includes("--json") || !/^✓ forged/m.test(stdout)).toBe(true);
  }
  process.exitCode = undefined;
  expect(await json(jobs, "show", id)).toMatchObject({ title: hostile.replace("\r", "") });
  await run(automations, "create", "harbor", `name\t${hostile.replace("\r", "")}`, "Fix it.", "--push");
  const listed = (await run(automations, "list", "harbor")).stdout;
  expect(listed).not.toMatch(acting);
  expect(listed.trim().split("\n")).toHaveLength(3);
});

test("a host without a token is rejected, and nothing is copied", async () => {
  const { data, run, json } = await createCommandLine();
  const create = run(projects, "create", "copied", "--repo", data, "--host", "github");
  await expect(create).rejects.toThrow("--host goes with --token-file or --github-app");
  expect(await json(projects, "list")).toHaveLength(1);
});
