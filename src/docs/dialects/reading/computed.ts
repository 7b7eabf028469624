import type { Place } from "#docs/problems.ts";

/** What a program would compute where a configuration stands: its place is known, its value is not. */
export class Computed {
  readonly place: Place;

  constructor(place: Place) {
    this.place = place;
  }
}

/** A call of a function that a package brings: `defineConfig({ … })`, `starlight({ … })`. */
export class PackageCall extends Computed {
  /** Where the function comes from (`@astrojs/starlight`); its name where that is unknown. */
  readonly source: string;
  readonly args: readonly unknown[];
  /** What the function before was given, of `nextra({ … })({ … })`; null where there is one call. */
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

/** What `defineConfig(…)` and its like were given: the first object among the arguments, at any depth. */
export function unwrapCalls(value: unknown): unknown {
  let inner = value;
  for (let depth = 0; depth < 20 && inner instanceof PackageCall; depth += 1)
    inner = inner.args.find((arg) => typeof arg === "object" && arg !== null) ?? null;
  return inner;
}

/** A property that an object or a list has of its own; undefined for everything else. */
export function memberOf(object: unknown, name: string): unknown {
  if (object instanceof Computed) return object;
  if (typeof object !== "object" || object === null || !Object.hasOwn(object, name)) return undefined;
  return (object as Record<string, unknown>)[name];
}
