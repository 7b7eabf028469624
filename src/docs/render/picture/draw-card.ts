import { readFileSync } from "node:fs";
import type { Node } from "@takumi-rs/wasm/node";
import { FONT_FAMILIES, fontFiles } from "./fonts.ts";
import { CARD_HEIGHT, CARD_WIDTH, type TitleCard } from "./title-card.ts";

const MARGIN = 72;
const LONG_TITLE = 48;

/** Draws cards as PNG. The library and its fonts, some 45 MB, are loaded for the first card. */
export function createCardDrawing(): (card: TitleCard) => Promise<Uint8Array> {
  const load = async () => {
    const { Renderer } = await import("@takumi-rs/wasm/node");
    const renderer = new Renderer();
    for (const { family, path, ranges } of fontFiles()) {
      renderer.registerFont({ name: family, data: new Uint8Array(readFileSync(path)), unicodeRange: ranges });
    }
    return renderer;
  };
  let loaded: ReturnType<typeof load> | undefined;
  return async (card) => {
    loaded ??= load();
    const renderer = await loaded;
    return await renderer.render(nodeOf(card), { width: CARD_WIDTH, height: CARD_HEIGHT, format: "png" });
  };
}

function nodeOf({ title, description, siteName, address, color, isRightToLeft }: TitleCard): Node {
  const line = (text: string, style: object): Node => ({ type: "text", text, style });
  const column = (children: Node[], style: object): Node => ({
    type: "container",
    children,
    style: { display: "flex", flexDirection: "column", ...style },
  });
  const text = [
    line(title, {
      fontSize: title.length > LONG_TITLE ? 58 : 74,
      fontWeight: 700,
      lineHeight: 1.25,
      lineClamp: 3,
      textOverflow: "ellipsis",
      overflowWrap: "anywhere",
      color: "#14201f",
    }),
    ...(description === null
      ? []
      : [
          line(description, {
            fontSize: 31,
            lineHeight: 1.4,
            lineClamp: 2,
            textOverflow: "ellipsis",
            overflowWrap: "anywhere",
            color: "#4b5b5b",
          }),
        ]),
  ];
  const oneLine = { lineClamp: 1, textOverflow: "ellipsis", overflowWrap: "anywhere" };
  return column(
    [
      line(siteName ?? "", { ...oneLine, fontSize: 34, fontWeight: 700, color }),
      column(text, { gap: 22 }),
      line(address, { ...oneLine, fontSize: 26, color: "#4b5b5b" }),
    ],
    {
      width: "100%",
      height: "100%",
      justifyContent: "space-between",
      padding: MARGIN,
      borderTop: `14px solid ${color}`,
      backgroundColor: "#f6f8f8",
      fontFamily: FONT_FAMILIES,
      direction: isRightToLeft ? "rtl" : "ltr",
    },
  );
}
