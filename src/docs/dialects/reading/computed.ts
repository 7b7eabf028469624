import type { Place } from "#docs/problems.ts";

/** A value in a configuration that only a program can compute: its place is known, its value is not. */
export class Computed {
  readonly place: Place;

  constructor(place: Place) {
    this.place = place;
  }
}

/** A call of a function from a package: `defineConfig({ … })`, `starlight({ … })`. */
export class PackageCall extends Computed {
  /** The module of the function (`@astrojs/starlight`); its name where that is unknown. */
  readonly source: string;
  readonly args: readonly unknown[];
  /** The argument of the first call in `nextra({ … })({ … })`; null for a single call. */
  readonly options: unknown;

  constructor(
    place: Place,
    { source, args, options = null }: { source: string; args: readonly unknown[]; options?: unknown },
  ) {
    super(place);
    this.source = source;
    this.args = args;
    this.options = options;
  }
}

/** The argument of `defineConfig(…)` and similar calls: the first object among the arguments, at any depth. */
export function unwrapCalls(value: unknown): unknown {
  let inner = value;
  for (let depth = 0; depth < 20 && inner instanceof PackageCall; depth += 1)
    inner = inner.args.find((arg) => typeof arg === "object" && arg !== null) ?? null;
  return inner;
}

/** An own property of an object or a list; undefined for everything else. */
export function memberOf(object: unknown, name: string): unknown {
  if (object instanceof Computed) return object;
  if (typeof object !== "object" || object === null || !Object.hasOwn(object, name)) return undefined;
  return (object as Record<string, unknown>)[name];
}
