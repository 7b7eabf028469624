import { type ClientOperation, readClientInterface, type Schema } from "./interface-document.ts";
import { docstring, isName, parameterType, typingImport } from "./python-types.ts";

export const PYTHON_OPERATIONS = "clients/python/docent_client/operations.py";
export const PYTHON_TYPES = "clients/python/docent_client/types.py";

/** A method for every operation of `docs/openapi.json`, for the Python client. */
export function pythonOperations(root: string): string {
  const { operations } = readClientInterface(root);
  const lines = [
    "# Method, path, and the field of the answer that is listed page by page.",
    "OPERATIONS: Dict[str, Tuple[str, str, Optional[str]]] = {",
    ...operations.map(
      ({ id, method: verb, address, list }) =>
        `    "${id}": ("${verb}", "${address}", ${list ? `"${list.field}"` : "None"}),`,
    ),
    "}",
    "",
    "",
    "class Operations:",
    '    """Every operation by its `operationId` in snake case, and an iterator over all pages for every list."""',
    "",
    "    def _ask(self, _operation: str, _ids: Dict[str, Optional[str]], **_call: Any) -> Any:",
    "        raise NotImplementedError",
    "",
    "    def _each(self, _operation: str, _ids: Dict[str, Optional[str]], **_call: Any) -> Iterator[Any]:",
    "        raise NotImplementedError",
    "",
    ...operations.flatMap(methodsOf),
  ];
  return [
    '"""A method for every operation of the interface. Written by `npm run fix` from docs/openapi.json: change the routes instead."""',
    "",
    "from __future__ import annotations",
    "",
    typingImport(lines),
    "",
    "from . import types",
    "",
    ...lines,
  ].join("\n");
}

function methodsOf(operation: ClientOperation): string[] {
  const { id, list } = operation;
  const one = method(operation, { name: snake(id), by: "_ask", gives: answerOf(operation) });
  if (!list) return [one];
  const name = `iter_${snake(id.replace(/^(?:list|get)(?=[A-Z])/, ""))}`;
  return [one, method(operation, { name, by: "_each", gives: `Iterator[${bodyType(list.item)}]` })];
}

const snake = (name: string): string => {
  const text = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase();
  return isName(text) ? text : `${text}_`;
};

/** A body's type: by its name, which the module `types` has; of one without a name, as much as can be said. */
function bodyType(schema: Schema): string {
  if (schema.$ref !== undefined) return `types.${schema.$ref.split("/").at(-1)}`;
  return schema.properties || schema.allOf || schema.anyOf || schema.oneOf ? "Dict[str, Any]" : parameterType(schema);
}

const answerOf = ({ answers }: ClientOperation): string => {
  const types = [...new Set(answers.map((schema) => (schema ? bodyType(schema) : "None")))];
  return types.length === 1 ? types[0]! : `Union[${types.join(", ")}]`;
};

function method(
  operation: ClientOperation,
  { name, by, gives }: { name: string; by: "_ask" | "_each"; gives: string },
) {
  const { id, path, query, body, hasIfMatch, summary, description } = operation;
  const places = path.filter((parameter) => parameter.name !== "projectId");
  const isOfProject = places.length < path.length;
  const isPost = operation.method === "POST";
  const wanted = query.filter(({ required }) => required);
  const more = [
    ...wanted.map((one) => `${snake(one.name)}: ${parameterType(one.schema)}`),
    ...query
      .filter(({ required }) => !required)
      .map((one) => `${snake(one.name)}: ${optional(parameterType(one.schema))} = None`),
    ...(isPost ? ["idempotency_key: Optional[str] = None"] : []),
    ...(hasIfMatch ? ["if_match: Optional[str] = None"] : []),
    ...(isOfProject ? ["project_id: Optional[str] = None"] : []),
  ];
  const given = [
    "self",
    ...places.map((one) => `${snake(one.name)}: str`),
    ...(body ? [`body: ${body.required ? bodyType(body.schema) : `${optional(bodyType(body.schema))} = None`}`] : []),
    ...(more.length > 0 ? ["*", ...more] : []),
  ];
  const ids = path.map((one) => `"${one.name}": ${one.name === "projectId" ? "project_id" : snake(one.name)}`);
  const sent = [
    `"${id}"`,
    `{${ids.join(", ")}}`,
    ...(query.length > 0 ? [`query={${query.map((one) => `"${one.name}": ${snake(one.name)}`).join(", ")}}`] : []),
    ...(body ? ["body=body"] : []),
    ...(isPost ? ["idempotency_key=idempotency_key"] : []),
    ...(hasIfMatch ? ["if_match=if_match"] : []),
  ];
  const pages = by === "_each" ? " From all pages, one after another." : "";
  return [
    `    def ${name}(`,
    ...given.map((one) => `        ${one},`),
    `    ) -> ${gives}:`,
    `        ${docstring(`${summary}.${pages} ${description}`)}`,
    `        return self.${by}(${sent.join(", ")})`,
    "",
  ].join("\n");
}

const optional = (type: string): string => (type.startsWith("Optional[") ? type : `Optional[${type}]`);
