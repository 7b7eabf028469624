export interface Timing {
  medianMs: number;
  p95Ms: number;
}

/** Runs each task `runs` times in turn, so that load on the machine affects all equally. The first round is a warm-up. */
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

export interface Quartiles {
  low: number;
  median: number;
  high: number;
}

export function quartiles(numbers: readonly number[]): Quartiles {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const place = (sorted.length - 1) * share;
    const below = sorted[Math.floor(place)] ?? Number.NaN;
    return below + ((sorted[Math.ceil(place)] ?? Number.NaN) - below) * (place % 1);
  };
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}

const TRIMMED = 0.1;

/**
 * The mean without the lowest and the highest tenth, and half the width of its 95 % confidence interval (Tukey and McLaughlin,
 * 1963; normal approximation).
 */
export function trimmedMean(numbers: readonly number[]): { mean: number; error: number } {
  const sorted = numbers.toSorted((a, b) => a - b);
  const cut = Math.floor(sorted.length * TRIMMED);
  const meanOf = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0) / some.length;
  const kept = sorted.slice(cut, sorted.length - cut);
  const winsorized = sorted.map((one) => Math.min(Math.max(one, kept[0]!), kept.at(-1)!));
  const centre = meanOf(winsorized);
  const squares = winsorized.reduce((sum, one) => sum + (one - centre) ** 2, 0);
  const deviation = Math.sqrt(squares / (sorted.length - 1));
  return { mean: meanOf(kept), error: (1.96 * deviation) / ((1 - 2 * TRIMMED) * Math.sqrt(sorted.length)) };
}
