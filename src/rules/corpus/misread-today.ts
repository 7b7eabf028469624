/** Messages that the rules carry out with another meaning today. The list only shrinks: a message that is read right must go. */
export const MISREAD_TODAY: readonly string[] = [];
