import type { OwnAction, PageAction, PageOption } from "#docs/config/page-actions.ts";
import type { Route } from "#docs/routes.ts";
import type { Words } from "#docs/words/site-language.ts";
import { icon, type DrawIcon } from "./icons.ts";
import { html, type Html } from "#kit/pages/markup.ts";

interface PageMenuView {
  options: readonly PageOption[];
  route: Route;
  markdownHref: string;
  origin: string;
  siteName: string;
  /** Others can reach it: not a preview. */
  isPublic: boolean;
  /** Address of the site's MCP server; null when others cannot reach one. */
  mcpAddress: string | null;
  drawIcon: DrawIcon;
  words: Words;
}

interface Item {
  title: string;
  description: string | null;
  href: string;
  /** The text that the script copies instead of following the link. */
  copies?: string;
  drawn?: Html | null;
}

/**
 * The actions for a page. Only links, so that it works without script: "Copy page" then shows the Markdown, and an
 * entry that copies an address opens it.
 */
export function pageMenu(view: PageMenuView): Html | null {
  const { options, markdownHref, words } = view;
  const items = options.flatMap((option) => {
    const item = typeof option === "string" ? itemOf(option, view) : ownItem(option, view);
    return item === null || option === "copy" ? [] : [item];
  });
  const copies = options.includes("copy");
  if (items.length === 0 && !copies) return null;
  return html`<div class="site-page-menu">
    ${copies ? html`<a href="${markdownHref}" rel="nofollow" data-copy-page>${icon("copy")}<span>${words.copyPage}</span></a>` : ""}
    ${
      items.length === 0
        ? ""
        : html`<details data-menu data-page-menu>
            <summary aria-label="${words.pageActions}">${copies ? "" : html`<span>${words.pageActions}</span>`}${icon("chevron")}</summary>
            <ul>
              ${items.map(menuItem)}
            </ul>
          </details>`
    }
    <span class="site-unseen" role="status"></span>
  </div>`;
}

function menuItem({ title, description, href, copies, drawn }: Item): Html {
  const copied = copies === undefined ? "" : html` data-copy-text="${copies}"`;
  const away = /^https?:/.test(href) ? html` target="_blank" rel="noopener"` : html` rel="nofollow"`;
  return html`<li>
    <a href="${href}"${away}${copied}><b>${drawn}${title}</b>${description && html`<span>${description}</span>`}</a>
  </li>`;
}

const ASSISTANTS: Partial<Record<PageAction, [name: string, address: string]>> = {
  chatgpt: ["ChatGPT", "https://chatgpt.com/?hints=search&q="],
  claude: ["Claude", "https://claude.ai/new?q="],
  perplexity: ["Perplexity", "https://www.perplexity.ai/search?q="],
  grok: ["Grok", "https://grok.com/?q="],
  aistudio: ["Google AI Studio", "https://aistudio.google.com/prompts/new_chat?prompt="],
};

function itemOf(action: PageAction, view: PageMenuView): Item | null {
  const { markdownHref, isPublic, origin, route, words } = view;
  if (action === "view") return { title: words.viewMarkdown, description: null, href: markdownHref };
  if (!isPublic) return null;
  const assistant = ASSISTANTS[action];
  if (assistant) {
    const prompt = `Read ${origin}${route} so that I can ask questions about it.`;
    const href = assistant[1] + encodeURIComponent(prompt);
    return { title: named(words.openIn, assistant[0]), description: words.askAboutPage, href };
  }
  const { mcpAddress } = view;
  return mcpAddress === null ? null : serverItem(action, { ...view, mcpAddress });
}

/** Links that install a server: Cursor's and Visual Studio Code's documentation, 2026-11. */
function serverItem(
  action: PageAction,
  { siteName, mcpAddress, words }: PageMenuView & { mcpAddress: string },
): Item | null {
  const name = encodeURIComponent(siteName);
  const path = "/mcp"; // relative to the root of the site, like every address of a document
  if (action === "mcp") return { title: words.copyMcpAddress, description: null, href: path, copies: mcpAddress };
  if (action === "add-mcp") {
    const command = `npx add-mcp ${mcpAddress}`;
    return { title: words.copyMcpCommand, description: command, href: path, copies: command };
  }
  if (action === "cursor") {
    const config = encodeURIComponent(Buffer.from(JSON.stringify({ url: mcpAddress })).toString("base64"));
    const href = `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${config}`;
    return { title: named(words.connectTo, "Cursor"), description: words.installMcp, href };
  }
  if (action === "vscode") {
    const config = JSON.stringify({ name: siteName, type: "http", url: mcpAddress });
    const href = `vscode:mcp/install?${encodeURIComponent(config)}`;
    return { title: named(words.connectTo, "VS Code"), description: words.installMcp, href };
  }
  return null;
}

const named = (text: string, name: string): string => text.replace("{name}", () => name);

function ownItem({ title, description, icon: named, base, query }: OwnAction, view: PageMenuView): Item {
  const values: Record<string, string> = {
    $page: view.origin + view.markdownHref,
    $path: view.route,
    $mcp: view.mcpAddress ?? "",
  };
  const fill = (text: string) => text.replaceAll(/\$(?:page|path|mcp)\b/g, (name) => values[name] ?? "");
  const fields = query.map(({ key, value }) => `${encodeURIComponent(key)}=${encodeURIComponent(fill(value))}`);
  const joint = fields.length === 0 ? "" : base.includes("?") ? "&" : "?";
  return { title, description, href: base + joint + fields.join("&"), drawn: view.drawIcon(named) };
}
