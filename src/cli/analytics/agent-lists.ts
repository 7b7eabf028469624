import { type TakenList, updateAgentList } from "#features/visitors/clients/agent-list.ts";
import { failedFetchWords, readFailedFetches } from "#features/visitors/clients/failed-fetches.ts";
import { knownAddresses } from "#features/visitors/clients/verify-agent.ts";
import { dayOf } from "#features/visitors/day.ts";
import { readArguments, UsageError } from "#cli/command/command.ts";
import { type CommandIo, printableLine, writeLine } from "#cli/command/io.ts";
import { agentsInUse, openInstance } from "#cli/command/open-instance.ts";

/** `docent analytics agents`. */
export async function runAgents(args: readonly string[], io: CommandIo): Promise<void> {
  const options = { agent: { type: "string" } } as const;
  const { values, positionals } = readArguments(args, options, {
    min: 0,
    max: 2,
    names: "nothing, or `update` and FILE",
  });
  const [action, file] = positionals;
  if ((action !== undefined && (action !== "update" || file === undefined)) || (values.agent && file === undefined)) {
    throw new UsageError("`docent analytics agents` takes no arguments, or `update` and a FILE.");
  }
  await using instance = await openInstance(values);
  const { dataDirectory } = instance.config;
  const { list, owners }: TakenList =
    file === undefined
      ? { list: agentsInUse(instance), owners: [] }
      : await updateAgentList(dataDirectory, file, { ...instance, agent: values.agent });
  const networks = knownAddresses(list, dayOf(instance.clock.now().getTime()));
  const ranges = networks.reduce((sum, each) => sum + each.ranges, 0);
  const failedFetches = await readFailedFetches(dataDirectory);
  if (values.json) {
    const { date, agents } = list;
    return writeLine(io.stdout, JSON.stringify({ date, agents: agents.length, ranges, networks, failedFetches }));
  }
  if (owners.length > 0) writeLine(io.stdout, printableLine(`Taken as the addresses of ${owners.join(", ")}.`));
  const counts = `${list.agents.length} agents, ${ranges.toLocaleString("en")} ranges of ${networks.length} of them`;
  writeLine(io.stdout, `In use: ${counts}.`);
  const width = Math.max(...networks.map(({ agent }) => agent.length));
  for (const { agent, date, ranges: of, isCurrent } of networks) {
    const words = isCurrent ? "" : "  older than two weeks: from elsewhere it is unverified";
    writeLine(io.stdout, printableLine(`  ${agent.padEnd(width)}  ${date}  ${String(of).padStart(6)} ranges${words}`));
  }
  for (const failed of failedFetches) {
    const { words, advice } = failedFetchWords(failed);
    writeLine(io.stdout, printableLine(`${words}`));
    writeLine(io.stdout, printableLine(`  ${advice}`));
  }
}
