import type { OwnFunction } from "#docs/evaluate/interpreter.ts";
import { Computed } from "./computed.ts";

/** A name of a program. Its value is computed on first use, once. */
export type Binding = { value: unknown } | { compute(): unknown; isOpen?: boolean };

export interface NameScope {
  path: string;
  names: Map<string, Binding>;
  parent: NameScope | null;
  imports: ReadonlyMap<string, string>;
}

/** A function of the configuration's own files. */
export class LocalFunction extends Computed implements OwnFunction<NameScope> {
  readonly node: OwnFunction<NameScope>["node"];
  readonly scope: NameScope;
  /** What it returns for arguments, which may be `Computed`. */
  readonly apply: (args: readonly unknown[]) => unknown;

  constructor(
    node: LocalFunction["node"],
    scope: NameScope,
    apply: (own: LocalFunction, args: readonly unknown[]) => unknown,
  ) {
    super({ path: scope.path, line: node.loc?.start.line ?? null });
    this.node = node;
    this.scope = scope;
    this.apply = (args) => apply(this, args);
  }
}

/** A name that is imported from a package. */
export class PackageName extends Computed {
  readonly source: string;
  readonly name: string;

  constructor(place: Computed["place"], { source, name }: { source: string; name: string }) {
    super(place);
    this.source = source;
    this.name = name;
  }
}

/** A name that another file exports, looked up on use because files may import each other. */
export class ExportName {
  readonly path: string;
  readonly name: string;

  constructor(path: string, name: string) {
    this.path = path;
    this.name = name;
  }
}
