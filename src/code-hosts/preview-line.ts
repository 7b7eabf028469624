/** The paragraph of a description that names the preview. */
export const previewLine = (url: string) => `**Preview:** ${url}`;

/** A description after its pull request has ended, and the preview with it. What somebody quoted stays. */
export const withoutPreviewLine = (body: string): string => body.replace(/^\*\*Preview:\*\* \S+(?:\n\n)?/gm, "");
