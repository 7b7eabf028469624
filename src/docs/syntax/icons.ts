import { nameToEmoji } from "gemoji";
import type { InlineRule } from "./inline-rule.ts";

export const emoji: InlineRule = {
  sign: ":",
  pattern: String.raw`(?<![\w:/]):(?<emoji>[a-z0-9_+-]{1,50}):(?![\w/])`,
  replace({ emoji: name = "" }) {
    // Material's names begin with the person.
    const names = [name, name.replace(/^(man|woman)_(.+)$/, "$2_$1")];
    return (
      names.map((each) => (Object.hasOwn(nameToEmoji, each) ? nameToEmoji[each] : undefined)).find(Boolean) ?? null
    );
  },
};

/** Material icons that carry meaning, by their names in our sets; purely decorative ones are left out. */
const ICONS: Readonly<Record<string, string>> = {
  check: "check", "check-all": "check", "check-circle": "circle-check", "check-bold": "check", close: "x", "close-circle": "circle-x",
  alert: "triangle-alert", information: "info", "information-outline": "info", help: "circle-help", plus: "plus", minus: "minus",
  "arrow-right": "arrow-right", "arrow-left": "arrow-left", "arrow-up": "arrow-up", "arrow-down": "arrow-down",
  "dots-vertical": "ellipsis-vertical", "dots-horizontal": "ellipsis", cog: "settings", pencil: "pencil", delete: "trash",
  magnify: "search", menu: "menu", heart: "heart", star: "star", lock: "lock", download: "download", upload: "upload",
}; // oxfmt-ignore

export const materialIcon: InlineRule = {
  sign: ":",
  pattern: String.raw`:(?<set>material|fontawesome-brands|fontawesome-solid|fontawesome-regular|octicons|simple)-(?<icon>[a-z0-9-]{1,60}):(?:\{[^}\n]{0,200}\})?(?<space>(?:[ \t]{0,4}&nbsp;)?[ \t]{0,4})`,
  // If an icon is left out, so is the space after it, which would shift the text of a list item.
  replace({ set = "", icon = "", space = "" }) {
    const name = icon.replace(/-(?:fill-)?(?:12|16|24)$/, "");
    const known = set.startsWith("fontawesome") ? name : Object.hasOwn(ICONS, name) ? ICONS[name] : undefined;
    return known === undefined ? "" : `<Icon icon="${known}" />${space}`;
  },
};

/** GitBook includes the name of an icon for screen readers. */
export const namedIcon: InlineRule = {
  sign: '<i class="fa-',
  pattern: String.raw`<i class="fa-(?<icon>[\w-]{1,60})">:[\w-]{1,60}:<\/i>`,
  replace: ({ icon = "" }) => `<Icon icon="${icon}" />`,
  isEverywhere: true,
};
