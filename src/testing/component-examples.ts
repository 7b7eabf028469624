import type { Attribute, Component } from "#docs/components/component.ts";

/** An attribute as an author writes it; a text attribute is `the <name> word`. */
function attributeExample(name: string, { kind }: Attribute): string {
  switch (kind) {
    case "words":
    case "literal":
      return `${name}="the ${name} word"`;
    case "list":
      return `${name}={["the ${name} word"]}`;
    case "link":
      return `${name}="/the-${name}-target"`;
    case "source":
      return `${name}="/the-${name}-picture.png"`;
    case "icon":
      return `${name}="rocket"`;
    case "number":
      return `${name}={3}`;
    case "flag":
      return name;
    case "option":
      return `${name}="x"`;
  }
}

/** Every attribute of a component except its id, by name. */
export function attributeExamples({ attributes = {} }: Component): [name: string, written: string][] {
  return Object.entries(attributes).map(([name, rule]) => [name, attributeExample(name, rule)]);
}

/** A page with one component. */
export function componentPage(name: string, attributes: readonly string[], inside = "Inner words."): string {
  return `Before\n\n<${[name, ...attributes].join(" ")}>\n${inside}\n</${name}>\n\nAfter\n`;
}
