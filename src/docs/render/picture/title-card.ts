/** What the picture of a page shows: texts in one line each, which the fonts can draw. */
export interface TitleCard {
  title: string;
  description: string | null;
  siteName: string | null;
  /** Host and path, without its scheme. */
  address: string;
  /** `#0b6e63`: legible on a light background. */
  color: string;
  isRightToLeft: boolean;
}

/** Pixels: the shape that networks ask for. */
export const CARD_WIDTH = 1_200;
export const CARD_HEIGHT = 630;

/** Changes with the looks: pictures that are kept elsewhere are made again. */
export const CARD_FORM = 1;
