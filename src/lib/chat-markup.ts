/**
 * Escapes text that a model or a stranger's pull request may have written, for a message in the format of Slack's
 * incoming webhooks: `<!channel>`, and `@here` in Mattermost, would notify everyone, and Mattermost renders links and
 * images in Markdown.
 */
export const escapedForChat = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("](", "]\u200b(")
    .replaceAll(/@(?=\w)/g, "@\u200b");

/** A link, in Slack and in Mattermost, Rocket.Chat and Google Chat. */
export const chatLink = (url: string, words: string): string =>
  `<${url}|${escapedForChat(words).replaceAll("|", "/")}>`;
