/** The positive whole number of up to nine digits that a text is; null for any other text. */
export const positiveInteger = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
