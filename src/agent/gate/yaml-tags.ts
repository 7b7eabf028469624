import { error, type Judge, Multiset } from "./judge.ts";
import { createLineIndex } from "#lib/line-index.ts";

// A tag makes an object of a reader's own of what follows it: `!!python/object/apply:os.system` runs a command where a
// build reads it with PyYAML's full loader, `!ruby/object` with Psych. The standard's own ones name plain values.
// Only where a value starts; an anchor may come first.
const TAGS =
  /(?<=(?:^|[:,?[{-])[ \t]{0,100}(?:&[^\s,[\]{}]{1,100}[ \t]{1,100})?)!(?!!(?:str|int|float|bool|null|seq|map|set|omap|timestamp|binary)(?![\w/:.]))(?:![\w%]|<|[\w%.-]{1,60}[/:])[^\s,[\]{}]{0,200}/gm;
const QUOTED = /"(?:[^"\\\n]|\\.){0,2000}"|'[^'\n]{0,2000}'|(?<=\s)#[^\n]*/g;
const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** Neither front matter nor a YAML file gets a tag by which a build would make more than text and numbers of it. */
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
