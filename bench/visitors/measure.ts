export interface Timing {
  medianMs: number;
  p95Ms: number;
}

/** Runs each task `runs` times in turn, so that a busy moment of the machine hits all alike; the first round is warm-up. */
export async function measureInTurn<Name extends string>(
  tasks: Record<Name, () => Promise<unknown>>,
  runs: number,
): Promise<Record<Name, Timing>> {
  const names = Object.keys(tasks) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let run = -1; run < runs; run++) {
    for (const name of names) {
      const started = performance.now();
      await tasks[name]();
      if (run >= 0) times[name].push(performance.now() - started);
    }
  }
  return Object.fromEntries(names.map((name) => [name, timing(times[name])])) as Record<Name, Timing>;
}

export function timing(times: readonly number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { medianMs: at(0.5), p95Ms: at(0.95) };
}

export const milliseconds = (ms: number) => (ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms.toFixed(2));
