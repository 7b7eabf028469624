// How parameter values become text in a request: OpenAPI 3.1, "Style Values". Also runs in readers' browsers.

export interface ValueStyle {
  style: string;
  explode: boolean;
  /** The value is sent as JSON: the parameter has `content` instead of a schema. */
  isJson: boolean;
}

type Plain = null | boolean | number | string | readonly unknown[] | object;

function plainText(value: unknown): string {
  return isList(value) || fieldsOfObject(value) !== null ? JSON.stringify(value) : String(value);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function fieldsOfObject(value: unknown): [string, unknown][] | null {
  const isObject = typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isObject ? Object.entries(value as object) : null;
}

/** Names and values that a parameter adds to the query. Not encoded. */
export function queryValues(name: string, value: Plain, { style, explode, isJson }: ValueStyle): [string, string][] {
  if (isJson) return [[name, JSON.stringify(value)]];
  const between = style === "spaceDelimited" ? " " : style === "pipeDelimited" ? "|" : ",";
  if (isList(value)) {
    const items = value.map(plainText);
    return explode ? items.map((item) => [name, item]) : [[name, items.join(between)]];
  }
  const fields = fieldsOfObject(value);
  if (fields === null) return [[name, plainText(value)]];
  if (style === "deepObject") return fields.map(([key, each]) => [`${name}[${key}]`, plainText(each)]);
  if (explode) return fields.map(([key, each]) => [key, plainText(each)]);
  return [[name, fields.flatMap(([key, each]) => [key, plainText(each)]).join(between)]];
}

/** The text of a path parameter. Encoded. */
export function pathValue(name: string, value: Plain, { style, explode, isJson }: ValueStyle): string {
  const start = style === "label" ? "." : style === "matrix" ? ";" : "";
  if (isJson) return encodeURIComponent(JSON.stringify(value));
  const encode = (text: unknown) => encodeURIComponent(plainText(text));
  const fields = fieldsOfObject(value);
  const items = isList(value)
    ? value.map(encode)
    : (fields?.flatMap(([key, each]) =>
        explode ? [`${encode(key)}=${encode(each)}`] : [encode(key), encode(each)],
      ) ?? [encode(value)]);
  if (style !== "matrix") return start + items.join(style === "label" && explode ? "." : ",");
  if (!explode || (!isList(value) && fields === null)) return `;${name}=${items.join(",")}`;
  return items.map((item) => (fields === null ? `;${name}=${item}` : `;${item}`)).join("");
}

/** The value of a header. */
export function headerValue(value: Plain, { explode, isJson }: ValueStyle): string {
  if (isJson) return JSON.stringify(value);
  if (isList(value)) return value.map(plainText).join(",");
  const fields = fieldsOfObject(value);
  if (fields === null) return plainText(value);
  return fields.flatMap(([key, each]) => (explode ? [`${key}=${plainText(each)}`] : [key, plainText(each)])).join(",");
}

/** A value that a reader entered: a list as JSON or with commas, an object as JSON or as `a=1,b=2`. */
export function enteredValue(text: string, type: "list" | "object" | "text"): Plain {
  if (type === "text") return text;
  try {
    const value: unknown = JSON.parse(text);
    if (type === "list" ? isList(value) : fieldsOfObject(value) !== null) return value as Plain;
  } catch {
    // Not JSON: parse the short form.
  }
  const items = text.split(",").map((item) => item.trim());
  if (type === "list") return items;
  return Object.fromEntries(items.map((item) => [item.replace(/=.*/s, ""), item.replace(/^[^=]*=?/s, "")]));
}
