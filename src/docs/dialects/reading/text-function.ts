import type { TextStep } from "#docs/page-rules.ts";
import { PageProblem } from "#docs/markup/budget.ts";
import type { Place } from "#docs/problems.ts";
import { Computed } from "./computed.ts";
import { isQuickPattern } from "./quick-pattern.ts";
import { LocalFunction, PackageName } from "./scope.ts";

const MAX_STEPS = 50;

/** The argument of a function that is read: a text that is not known, with what the function has done to it so far. */
export class FollowedText extends Computed {
  readonly steps: readonly TextStep[];

  constructor(place: Place, steps: readonly TextStep[]) {
    super(place);
    this.steps = steps;
  }

  changed(step: TextStep): FollowedText {
    if (this.steps.length >= MAX_STEPS) throw new PageProblem("it changes the text too often");
    return new FollowedText(this.place, [...this.steps, step]);
  }
}

/** A regular expression as written. */
export class WrittenPattern extends Computed {
  readonly pattern: string;
  readonly flags: string;

  constructor(place: Place, { pattern, flags }: { pattern: string; flags: string }) {
    super(place);
    this.pattern = pattern;
    this.flags = flags;
  }
}

/** Functions of packages that derive an id from a text. */
const PACKAGES: Readonly<Record<string, TextStep>> = {
  "@mdit-vue/shared slugify": { kind: "slug", of: "vitepress" },
  "github-slugger slug": { kind: "slug", of: "github" },
  "encodeURIComponent encodeURIComponent": { kind: "encode" },
};

export function stepOfFunction(callee: unknown): TextStep | null {
  const key = callee instanceof PackageName ? `${callee.source} ${callee.name}` : "";
  return Object.hasOwn(PACKAGES, key) ? (PACKAGES[key] ?? null) : null;
}

/** The step of a method of a text. Throws `PageProblem` for one that cannot be read as data. */
export function stepOfMethod(name: string, args: readonly unknown[]): TextStep {
  const [first, second] = args;
  switch (name) {
    case "toLocaleLowerCase":
    case "toLowerCase":
      return { kind: "toLowerCase" };
    case "toLocaleUpperCase":
    case "toUpperCase":
      return { kind: "toUpperCase" };
    case "trim":
    case "trimStart":
    case "trimEnd":
      return { kind: name };
    case "toString":
      return { kind: "slice", from: 0, to: null };
    case "normalize":
      if (first === undefined) return { kind: "normalize", form: "NFC" };
      if (typeof first === "string" && /^NFK?[CD]$/.test(first)) return { kind: "normalize", form: first };
      break;
    case "slice":
    case "substring":
      if (isCount(first) && (second === undefined || isCount(second)))
        return { kind: "slice", from: first, to: second ?? null };
      break;
    case "replace":
    case "replaceAll":
      if (typeof second === "string") return replaceStep(first, second, name === "replaceAll");
  }
  throw new PageProblem(`${name.slice(0, 40)}() cannot be read as data`);
}

const isCount = (value: unknown): value is number => typeof value === "number" && value >= 0;

function replaceStep(from: unknown, by: string, isAll: boolean): TextStep {
  if (typeof from === "string")
    return { kind: "replace", pattern: from.replaceAll(/[^\w\s]/g, String.raw`\$&`), flags: isAll ? "g" : "", by };
  if (!(from instanceof WrittenPattern) || !isQuickPattern(from.pattern) || !/^[gimsu]*$/.test(from.flags))
    throw new PageProblem("this regular expression is not used");
  return { kind: "replace", pattern: from.pattern, flags: from.flags, by };
}

/** The steps of a function from text to text; the place where it does what cannot be read; null for anything else. */
export function readTextFunction(value: unknown): { steps: readonly TextStep[] } | { place: Place } | null {
  const step = stepOfFunction(value);
  if (step !== null) return { steps: [step] };
  if (!(value instanceof Computed)) return null;
  if (!(value instanceof LocalFunction)) return { place: value.place };
  const result = value.apply([new FollowedText(value.place, [])]);
  if (result instanceof FollowedText) return { steps: result.steps };
  return { place: result instanceof Computed ? result.place : value.place };
}
