import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { MachineBusy } from "#lib/waiting/machine-busy.ts";
import { createAgentBench } from "#testing/agent-bench.ts";
import { defineTool, type Tool, type ToolEnvironment } from "#tools/tool.ts";
import { runTool } from "./tool-call.ts";
import { createAgentTools } from "./toolbox/tools.ts";
import { meteredEnvironment } from "./work-meter.ts";

const FILES = { "a.md": "# A\n\nweb hook\n", "b.md": "# B\n\n[A](a.md)\n" };

function toolThat(run: (environment: ToolEnvironment) => Promise<unknown>): Tool {
  return defineTool({
    name: "work",
    description: "",
    input: z.strictObject({}),
    mutates: true,
    run: async (_input, environment) => ({ ok: true, summary: "", content: await run(environment) }),
  });
}

const call = (name: string, input: Record<string, unknown> = {}) => ({ id: "1", name, input, invalid: null });

function depsFor(tools: readonly Tool[], files: Record<string, string> = FILES) {
  const { environment } = createAgentBench(tools, files);
  return { tools, environment, reportFault: () => undefined };
}

describe("a tool call", () => {
  it("that times out throws MachineBusy instead of answering the model, and changes nothing", async () => {
    const deps = depsFor([
      toolThat(async ({ tree }) => {
        tree.write("a.md", "half");
        await new Promise(() => undefined);
      }),
    ]);
    await expect(runTool(deps, call("work"), 20)).rejects.toBeInstanceOf(MachineBusy);
    expect(await deps.environment.tree.readText("a.md")).toBe(FILES["a.md"]);
  });

  it("with an already aborted signal leaves no unhandled rejection", async () => {
    const { environment, ...deps } = depsFor([toolThat(() => Promise.reject(new Error("left behind")))]);
    const aborted = { ...deps, environment: { ...environment, signal: AbortSignal.abort(new Error("late")) } };
    await expect(runTool(aborted, call("work"), 1_000)).rejects.toThrow("late");
  });

  it("does not time out as long as it keeps reading or parsing, however slowly", async () => {
    const deps = depsFor([
      toolThat(async ({ tree }) => {
        for (let time = 1; time <= 20; time += 1) {
          await tree.readText("a.md");
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }),
    ]);
    expect((await runTool(deps, call("work"), 200)).result.ok).toBe(true);
  });

  it("throws MachineBusy if its parser is unavailable, also in a chore and in its trial run", async () => {
    const tools = createAgentTools();
    const deps = depsFor(tools);
    const parse = () => Promise.reject(new MachineBusy("The server is busy."));
    const starved = { ...deps, environment: { ...deps.environment, parser: { parse } } };
    const input = { from: "web hook", to: "webhook" };
    await expect(runTool(starved, call("replace_term", input), 60_000)).rejects.toBeInstanceOf(MachineBusy);
    const trial = call("check_chores", { chores: [{ tool: "replace_term", input }] });
    await expect(runTool(starved, trial, 60_000)).rejects.toBeInstanceOf(MachineBusy);
    expect((await runTool(deps, call("replace_term", input), 60_000)).result.ok).toBe(true);
  });

  it("throws the reason of its turn's signal when that aborts", async () => {
    const deps = depsFor([toolThat(() => new Promise(() => undefined))]);
    const signal = AbortSignal.abort(new Error("cancelled"));
    const environment = { ...deps.environment, signal };
    await expect(runTool({ ...deps, environment }, call("work"), 60_000)).rejects.toThrow("cancelled");
  });

  it("that fails with an AppError answers the model", async () => {
    const deps = depsFor([toolThat(() => Promise.reject(new AppError("not_found", "There is no such page.")))]);
    const { result } = await runTool(deps, call("work"), 60_000);
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining("There is no such page.") as string });
  });
});

describe("the work of one call", () => {
  const limits = { steps: 3, readBytes: 100, parsedCharacters: 20 };
  const metered = (change: Partial<typeof limits>) =>
    meteredEnvironment(
      depsFor([], { ...FILES, "long.md": "x".repeat(150) }).environment,
      { ...limits, ...change },
      () => undefined,
    );

  it.each<[string, (environment: ToolEnvironment) => Promise<unknown>]>([
    ["files read", async ({ tree }) => { for (let time = 0; time < 4; time += 1) await tree.read("a.md"); }],
    ["files read on a copy of the tree", async ({ tree }) => { for (let time = 0; time < 4; time += 1) await tree.fork().read("a.md"); }],
    ["files read as text", async ({ tree }) => { for (let time = 0; time < 4; time += 1) await tree.readText("a.md"); }],
    ["files looked for", async ({ tree }) => { for (let time = 0; time < 4; time += 1) await tree.exists("no.md"); }],
    ["bytes read", ({ tree }) => tree.read("long.md")],
    ["bytes read as text", ({ tree }) => tree.readText("long.md")],
    ["characters parsed", ({ parser }) => parser.parse("x".repeat(21), "md")],
  ])("is limited in %s", async (_what, work) => {
    await expect(work(metered({}))).rejects.toMatchObject({ code: "too_large" });
  }); // oxfmt-ignore

  it("may use its limits fully", async () => {
    const { tree, parser } = metered({});
    await tree.read("a.md");
    await tree.exists("a.md");
    expect(await parser.parse("x".repeat(20), "md")).toMatchObject({ ok: true });
  });

  it("beyond a limit ends in a refusal with advice, the same on every machine", async () => {
    const tools = [toolThat(({ tree }) => tree.readText("long.md"))];
    const deps = depsFor(tools, { "long.md": "x".repeat(150) });
    const { result } = await runTool({ ...deps, limits }, call("work"), 60_000);
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining("Name a part of the docs") as string });
    expect((await runTool(deps, call("work"), 60_000)).result.ok).toBe(true);
  });
});
