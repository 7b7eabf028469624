import { readClientInterface, type Schema, typesOf, variantsOf } from "./interface-document.ts";

/** Names that mean something else in the generated files. */
const RESERVED = "Any Dict List Literal Optional Sequence TypedDict Union Operations Iterator False None True".split(
  " ",
);
const KEYWORDS = new Set(
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);

interface Writer {
  schemas: Map<string, Schema>;
  /** Classes by name, in the order in which they are written. */
  classes: Map<string, string>;
}

/** A `TypedDict` for every object of `docs/openapi.json`, for the Python client. */
export function pythonTypes(root: string): string {
  const { schemas } = readClientInterface(root);
  const writer: Writer = { schemas: new Map(schemas), classes: new Map() };
  const clash = schemas.find(([name]) => RESERVED.includes(name) || !isName(name));
  if (clash) throw new Error(`The schema ${clash[0]} needs another name: Python cannot have it.`);
  const aliases = new Map<string, string>();
  // Named objects first: an object inside another must not take their names.
  for (const [name, schema] of schemas) if (isClass(schema)) writer.classes.set(name, "");
  for (const [name, schema] of schemas) {
    if (isClass(schema)) writeClass(writer, name, schema);
    else aliases.set(name, pythonType(writer, schema, name));
  }
  const lines = [
    ...[...writer.classes.values()].map((text) => `\n${text}`),
    "",
    ...inOrder(aliases).map(([name, type]) => `${name} = ${type}`),
    "",
  ];
  return [
    '"""Bodies of the interface by their names in its document. Written by `npm run fix`: change the routes instead."""',
    "",
    "from __future__ import annotations",
    "",
    typingImport(lines),
    "",
    ...lines,
  ].join("\n");
}

/** What of `typing` these lines name. */
export function typingImport(lines: string[]): string {
  const names = ["Any", "Dict", "Iterator", "List", "Literal", "Optional", "Sequence", "Tuple", "TypedDict", "Union"];
  const text = lines.join("\n").replaceAll(/""".*?"""/g, "");
  const isUsed = (name: string) => new RegExp(`\\b${name}\\b`).test(text);
  return `from typing import ${names.filter(isUsed).join(", ")}`;
}

export const isName = (text: string): boolean => /^[A-Za-z][A-Za-z0-9_]*$/.test(text) && !KEYWORDS.has(text);

/** Text between three quotes, on one line. */
export function docstring(text: string): string {
  const safe = text.replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"').replaceAll(/\s+/g, " ").trim();
  return `"""${safe.endsWith('"') ? `${safe} ` : safe}"""`;
}

const isClass = (schema: Schema): boolean =>
  schema.$ref === undefined &&
  (schema.allOf !== undefined || (typesOf(schema).join() === "object" && !!schema.properties));

/** The type of a value as Python writes it. An object without a name gets one that begins with `hint`. */
function pythonType(writer: Writer, schema: Schema, hint: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1)!;
  if (schema.const !== undefined || schema.enum) return literal(schema.enum ?? [schema.const]);
  if (schema.allOf) return className(writer, schema, hint);
  const variants = variantsOf(schema);
  if (variants)
    return union(variants.map((one, index) => pythonType(writer, one, `${hint}${variantName(one, index)}`)));
  const types = typesOf(schema);
  return types.length === 0 ? "Any" : union(types.map((type) => typeNamed(writer, { ...schema, type }, hint)));
}

function typeNamed(writer: Writer, schema: Schema & { type: string }, hint: string): string {
  switch (schema.type) {
    case "integer":
      return "int";
    case "number":
      return "float";
    case "boolean":
      return "bool";
    case "null":
      return "None";
    case "array":
      return `List[${schema.items ? pythonType(writer, schema.items, `${hint}Item`) : "Any"}]`;
    case "object": {
      if (schema.properties) return className(writer, schema, hint);
      const values = schema.additionalProperties;
      return `Dict[str, ${typeof values === "object" ? pythonType(writer, values, `${hint}Value`) : "Any"}]`;
    }
    default:
      return "str";
  }
}

function union(types: string[]): string {
  const parts = [...new Set(types)];
  const some = parts.filter((type) => type !== "None");
  const whole = some.length === 1 ? some[0]! : `Union[${some.join(", ")}]`;
  return some.length === parts.length ? whole : some.length === 0 ? "None" : `Optional[${whole}]`;
}

function literal(values: unknown[]): string {
  if (values.some((value) => typeof value === "number" && !Number.isInteger(value))) return "float";
  const text = (value: unknown) =>
    value === null ? "None" : value === true ? "True" : value === false ? "False" : JSON.stringify(value);
  return `Literal[${values.map(text).join(", ")}]`;
}

/** What tells a variant from the others, such as the value of its `type`. */
function variantName({ properties = {} }: Schema, index: number): string {
  const value = Object.values(properties).find((property) => property.enum?.length === 1)?.enum?.[0];
  return typeof value === "string" ? pascal(value) : String(index + 1);
}

const pascal = (text: string): string =>
  text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_all, first: string) => first.toUpperCase());

/** Writes a class for an object without a name of its own. */
function className(writer: Writer, schema: Schema, hint: string): string {
  let name = hint;
  for (let number = 2; writer.classes.has(name) || writer.schemas.has(name); number++) name = `${hint}${number}`;
  writer.classes.set(name, "");
  writeClass(writer, name, schema);
  return name;
}

/** All properties of an object, those of the parts that it is made of too. */
function whole(writer: Writer, schema: Schema): Required<Pick<Schema, "properties" | "required">> {
  const named = schema.$ref === undefined ? schema : writer.schemas.get(schema.$ref.split("/").at(-1)!)!;
  const parts = [...(named.allOf ?? []).map((part) => whole(writer, part)), named];
  return {
    properties: Object.assign({}, ...parts.map(({ properties = {} }) => properties)) as Record<string, Schema>,
    required: parts.flatMap(({ required = [] }) => required),
  };
}

// Python 3.9 knows no `NotRequired`: fields that may be missing are a class with `total=False`.
function writeClass(writer: Writer, name: string, schema: Schema): void {
  const { properties, required } = whole(writer, schema);
  const fields = Object.entries(properties).map(([key, property]) => ({
    key,
    type: pythonType(writer, property, `${name}${pascal(key)}`),
    text: property.description,
    isRequired: required.includes(key),
  }));
  const [must, may] = [fields.filter(({ isRequired }) => isRequired), fields.filter(({ isRequired }) => !isRequired)];
  const about = schema.description ? [`    ${docstring(schema.description)}`, ""] : [];
  const lines = (some: typeof fields) =>
    some.flatMap(({ key, type, text }) => [`    ${key}: ${type}`, ...(text ? [`    ${docstring(text)}`] : [])]);
  const classOf = (own: string, base: string, some: typeof fields, doc: string[] = about) =>
    [`class ${own}(${base}):`, ...doc, ...(some.length > 0 ? lines(some) : ["    pass"]), ""].join("\n");
  const isWritten = fields.every(({ key }) => isName(key.replace(/^_/, "")));
  const dictOf = (own: string, some: typeof fields, total: string) =>
    `${own} = TypedDict("${own}", {${some.map(({ key, type }) => `${JSON.stringify(key)}: ${JSON.stringify(type)}`).join(", ")}}${total})\n`;
  // The order of the map is that of writing: first what this one needs.
  writer.classes.delete(name);
  const text = !isWritten
    ? `${dictOf(`_${name}Required`, must, "")}${dictOf(`_${name}Optional`, may, ", total=False")}\n\n${classOf(name, `_${name}Required, _${name}Optional`, [])}`
    : may.length === 0
      ? classOf(name, "TypedDict", must)
      : must.length === 0
        ? classOf(name, "TypedDict, total=False", may)
        : `${classOf(`_${name}Required`, "TypedDict", must, [])}\n\n${classOf(name, `_${name}Required, total=False`, may)}`;
  writer.classes.set(name, text);
}

/** Aliases behind those that they name. */
function inOrder(aliases: Map<string, string>): [string, string][] {
  const done = new Map<string, string>();
  const visit = (name: string, above: string[]) => {
    const type = aliases.get(name);
    if (type === undefined || done.has(name)) return;
    if (above.includes(name)) throw new Error(`The schema ${name} is made of itself: Python cannot write that.`);
    for (const [word] of type.matchAll(/\w+/g)) if (word !== name) visit(word, [...above, name]);
    done.set(name, type);
  };
  for (const name of aliases.keys()) visit(name, []);
  return [...done];
}

/** Types of what is given beside bodies: only names and closed sets, no new classes. */
export function parameterType(schema: Schema): string {
  const writer: Writer = { schemas: new Map(), classes: new Map() };
  const type = pythonType(writer, schema, "Parameter").replaceAll(/\bList\[/g, "Sequence[");
  if (writer.classes.size > 0) throw new Error("A parameter is an object without a name.");
  return type;
}
