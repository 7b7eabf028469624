/** The content of a page's image: texts on one line each, which the fonts can draw. */
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

/** Pixels: the format that social networks expect. */
export const CARD_WIDTH = 1_200;
export const CARD_HEIGHT = 630;

/** Changes with the design, so that cached images are drawn again. */
export const CARD_FORM = 1;
