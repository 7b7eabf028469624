import { isJsonObject, type Json, type JsonObject, listIn } from "#docs/json-document.ts";
import { CHARACTERS, SHOWN } from "./bounds.ts";
import { codeText, descriptionOf, textOf } from "./document-text.ts";
import { type ExampleView, exampleOf } from "./example-value.ts";
import { mergeAllOf } from "./merge-all-of.ts";
import { follow } from "./references.ts";
import type { SchemaReader } from "./schema-tree.ts";

/** The author's examples of a parameter, a header or a content type: named ones, the unnamed one, those of its schema. */
export function givenExamples(
  root: JsonObject,
  written: JsonObject,
  { reader, ofSchema }: { reader: SchemaReader; ofSchema: readonly Json[] },
): ExampleView[] {
  const named = isJsonObject(written["examples"]) ? Object.entries(written["examples"]) : [];
  const found = named.slice(0, SHOWN.examples).flatMap(([name, each]): ExampleView[] => {
    const example = follow(root, each)?.object;
    if (example === undefined) return [];
    const value = example["value"] ?? example["dataValue"] ?? example["serializedValue"];
    const href = textOf(example["externalValue"], CHARACTERS.url);
    const title = textOf(example["summary"], CHARACTERS.name) ?? name.slice(0, CHARACTERS.name);
    if (value === undefined && href === null) return [];
    return [{ title, description: descriptionOf(example), value: reader.example(value), href, isGenerated: false }];
  });
  const known = new Set(found.map(({ value }) => JSON.stringify(value)));
  for (const value of [written["example"], ...ofSchema]) {
    const text = JSON.stringify(value);
    if (value === undefined || known.has(text)) continue;
    known.add(text);
    found.push({ ...UNNAMED, value: reader.example(value) });
  }
  return found;
}

/** The examples of a body: the author's, or one that Docent generates from the schema. */
export function bodyExamples(
  root: JsonObject,
  media: JsonObject,
  { reader, use }: { reader: SchemaReader; use: "request" | "response" },
): ExampleView[] {
  const given = givenExamples(root, media, { reader, ofSchema: examplesOfSchema(root, media["schema"]) });
  const made = given.length > 0 ? undefined : exampleOf(root, media["schema"], use);
  return made === undefined ? given : [{ ...UNNAMED, value: made, isGenerated: true }];
}

export function examplesOfSchema(root: JsonObject, written: Json | undefined): Json[] {
  const { schema } = mergeAllOf(root, follow(root, written)?.object ?? {});
  const own = schema["example"] === undefined ? [] : [schema["example"]];
  return [...own, ...listIn(schema["examples"]).slice(0, SHOWN.examples)];
}

const UNNAMED: ExampleView = { title: null, description: null, value: undefined, href: null, isGenerated: false };

/** A line about an example in a list of them: its value as code, its summary and its description. */
export function exampleLine({ title, description, value, href }: ExampleView): { code: string; words: string } {
  const words = [title, description].filter((each) => each !== null);
  return { code: value === undefined ? (href ?? "…") : codeText(value, CHARACTERS.example), words: words.join(": ") };
}
