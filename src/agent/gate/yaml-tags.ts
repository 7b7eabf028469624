import { error, type Judge, Multiset } from "./judge.ts";
import { createLineIndex } from "#lib/line-index.ts";

// A tag makes the parser construct an application object from a value: `!!python/object/apply:os.system` runs a command
// in a build that uses PyYAML's full loader, `!ruby/object` in one that uses Psych. Standard tags name plain values.
// Matches only at the start of a value, optionally after an anchor.
const TAGS =
  /(?<=(?:^|[:,?[{-])[ \t]{0,100}(?:&[^\s,[\]{}]{1,100}[ \t]{1,100})?)!(?!!(?:str|int|float|bool|null|seq|map|set|omap|timestamp|binary)(?![\w/:.]))(?:![\w%]|<|[\w%.-]{1,60}[/:])[^\s,[\]{}]{0,200}/gm;
const QUOTED = /"(?:[^"\\\n]|\\.){0,2000}"|'[^'\n]{0,2000}'|(?<=\s)#[^\n]*/g;
const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** Refuses new tags in front matter and YAML files with which a build would construct more than plain values. */
export const judgeYamlTags: Judge = (_deps, { texts }) =>
  texts.flatMap(({ path, before, after }) => {
    const known = new Multiset(tagsIn(path, before).map(({ tag }) => tag));
    const lineOf = createLineIndex(after);
    return tagsIn(path, after)
      .filter(({ tag }) => !known.remove(tag))
      .map(({ tag, offset }) => {
        const message = `A YAML tag that some builds make an object of may not be added (put the value in quotes): ${tag.slice(0, 100)}`;
        return error({ check: "markup", path, line: lineOf(offset), message });
      });
  });

function tagsIn(path: string, source: string): { tag: string; offset: number }[] {
  const isYaml = /\.ya?ml$/i.test(path);
  const start = isYaml ? 0 : source.indexOf("\n") + 1;
  const yaml = isYaml ? source : FRONT_MATTER.exec(source)?.[1];
  if (yaml === undefined) return [];
  const unquoted = yaml.replaceAll(QUOTED, (text) => " ".repeat(text.length));
  return [...unquoted.matchAll(TAGS)].map(({ 0: tag, index }) => ({ tag, offset: start + index }));
}
