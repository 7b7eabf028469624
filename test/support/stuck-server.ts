import { startWatchdog } from "#instance/watchdog.ts";

// A process that is watched as a server is. Told to by its argument it gets stuck in a loop, or stays as it is.
const [what, limitMs] = process.argv.slice(2);
startWatchdog({ limitMs: Number(limitMs) });
process.stdout.write(`${JSON.stringify({ baseUrl: "", port: 0 })}\n`);

function spinForever(): never {
  for (let turns = 0; ; turns++) if (turns < 0) throw new Error("unreachable");
}

if (what === "stuck") setTimeout(spinForever, 100);
else setTimeout(() => process.exit(0), 6_000);
