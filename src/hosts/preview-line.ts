/** The paragraph of a description that names the preview. */
export const previewLine = (url: string) => `**Preview:** ${url}`;

/** A description without the preview's line, for a pull request that has ended. A quoted line stays. */
export const withoutPreviewLine = (body: string): string => body.replace(/^\*\*Preview:\*\* \S+(?:\n\n)?/gm, "");
