import { posix } from "node:path";
import type { Data } from "#docs/dialects/reading/data.ts";
import { Computed, unwrapCalls } from "#docs/dialects/reading/computed.ts";

/** A plugin of a Docusaurus site with its options, including those of presets. */
export interface Plugin {
  name: string;
  options: Data;
}

/** The plugins of a configuration, content plugins of a preset first, without those that a preset turns off (`blog: false`). */
export function pluginsOf(config: Data): Plugin[] {
  const fromPresets = readable(config.get("presets")).flatMap((preset) => {
    const { name, options } = namedOptions(preset);
    if (!/(?:^|\/)(?:preset-)?classic$/.test(name)) return [];
    return ["docs", "blog", "pages", "theme"].flatMap((each): Plugin[] => {
      const own = options.get(each);
      return own.raw === false ? [] : [{ name: each === "theme" ? "theme" : `content-${each}`, options: own }];
    });
  });
  const others = readable(config.get("plugins")).map((plugin) => {
    const { name, options } = namedOptions(plugin);
    return { name: posix.basename(name).replace(/^(?:docusaurus-)?plugin-/, ""), options };
  });
  return [...fromPresets, ...others];
}

/** A plugin that is a function serves no pages that could be found: it is skipped silently. */
function readable(list: Data): Data[] {
  const { raw } = list;
  return Array.isArray(raw)
    ? list.with((raw as unknown[]).filter((each) => !(each instanceof Computed))).list()
    : list.list();
}

/** `"name"` or `["name", { options }]`; the name may be the argument of a `require.resolve`. */
function namedOptions(entry: Data): { name: string; options: Data } {
  if (!entry.isList) return { name: typeof entry.raw === "string" ? entry.raw : "", options: entry.with(null) };
  const [name, options] = entry.raw as unknown[];
  return { name: typeof name === "string" ? name : "", options: entry.with(unwrapCalls(options ?? null)) };
}
