import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import crawlers from "crawler-user-agents";
import { describe, expect, test } from "vitest";
import { measureWork } from "#testing/measure-work.ts";
import { userAgents } from "#testing/views.ts";
import type { ClientCategory } from "./agents.ts";
import { createClassifier, isPlainBrowser } from "./classify.ts";

const classify = createClassifier();
const webkit = (rest: string) =>
  `Mozilla/5.0 (${rest.split("|")[0]}) AppleWebKit/537.36 (KHTML, like Gecko)${rest.split("|")[1] ?? ""}`;
const chrome = (system: string, tail = "") => webkit(`${system}| Chrome/141.0.0.0${tail} Safari/537.36`);
const compatible = (agent: string) => `Mozilla/5.0 (compatible; ${agent})`;
const inChrome = (agent: string) =>
  `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${agent}) Chrome/141.0.0.0 Safari/537.36`;

type Row = readonly [userAgent: string, product: string];

// User agents that operators document, or that were seen in logs and issue threads, by their expected category.
const table: Record<ClientCategory, readonly Row[]> = {
  assistant: [
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
      "ChatGPT-User",
    ],
    [inChrome("ChatGPT-User/2.0; +https://openai.com/bot"), "ChatGPT-User"],
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)",
      "Claude-User",
    ],
    ["Claude-User (claude-code/2.1.83; +https://support.anthropic.com/)", "Claude Code"],
    ["claude-code/2.0.14", "Claude Code"],
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)",
      "Perplexity-User",
    ],
    [inChrome("MistralAI-User/1.0; +https://docs.mistral.ai/robots"), "MistralAI-User"],
    ["DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)", "DuckAssistBot"],
    [
      inChrome("Google-Agent; +https://developers.google.com/crawling/docs/crawlers-fetchers/google-agent"),
      "Google-Agent",
    ],
    [
      "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36 (compatible; Google-Agent)",
      "Google-Agent",
    ],
    [inChrome("Gemini-Deep-Research; +https://gemini.google/overview/deep-research/"), "Gemini-Deep-Research"],
    ["Google-NotebookLM", "NotebookLM"],
    ["Google-GeminiNotebook", "NotebookLM"],
    [compatible("NotebookLM; +https://notebooklm.google"), "NotebookLM"],
    ["GoogleAgent-Search", "GoogleAgent-Search"],
    ["Cursor", "Cursor"],
    ["Cursor/1.7.44", "Cursor"],
    ["Trae/1.3.0 (darwin; arm64)", "Trae"],
    ["GeminiCLI/v0.9.0 (linux; x64)", "Gemini CLI"],
    ["Google-Gemini-CLI", "Gemini CLI"],
    [inChrome("Amzn-User/0.1; +https://developer.amazon.com/amazonbot"), "Amzn-User"],
    [chrome("Macintosh; Intel Mac OS X 10_15_7").concat(" (compatible; NovaAct/1.0)"), "Nova Act"],
    [
      "meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
      "meta-externalfetcher",
    ],
    [compatible("Kimi-User/1.0; +https://kimi.com"), "Kimi-User"],
    [inChrome("Manus-User/1.0"), "Manus-User"],
    [compatible("Devin/1.0; +devin.ai"), "Devin"],
    ["GitHubCopilotChat/0.31 GitHubCopilot/1.0", "GitHub Copilot"],
    ["GitHubCopilotChat/0.35.0", "GitHub Copilot"],
    ["copilot-developer-cli/1.0", "GitHub Copilot"],
    ["claude-cli/2.1.90 (external, cli)", "Claude Code"],
    [compatible("ChatGPT-Browser/1.0"), "ChatGPT-Browser"],
    [inChrome("AmazonBuyForMe/1.0; +https://www.amazon.com"), "Buy for Me"],
    ["Zed/0.210.4 (macos; aarch64)", "Zed"],
    ["Jules/1.0", "Jules"],
    ["goose/1.45.0", "Goose"],
    ["Crush/0.14", "Crush"],
    ["amp/1.0", "Amp"],
    ["Junie/2025.3", "Junie"],
    ["RooCode/3.28", "Roo Code"],
    ["Kilo-Code/4.90", "Kilo Code"],
    ["factory-cli/0.22", "Factory"],
    ["augment.cli/0.5", "Augment"],
    ["Windsurf/1.12", "Windsurf"],
    ["Aider/0.86.1 +https://aider.chat", "Aider"],
    [chrome("X11; Linux x86_64").concat(" Aider/0.86.1 +https://aider.chat"), "Aider"],
    ["ModelContextProtocol/1.0 (User-Specified; +https://github.com/modelcontextprotocol/servers)", "MCP fetch"],
    ["ModelContextProtocol/1.0 (Autonomous; +https://github.com/modelcontextprotocol/servers)", "MCP fetch"],
    [inChrome("Poe-User/1.0"), "Poe-User"],
    [compatible("JinaReader/1.0; +https://jina.ai/reader"), "Jina Reader"],
    [compatible("AI2Bot-DeepResearchEval; +https://www.allenai.org/crawler"), "AI2Bot-DeepResearchEval"],
    ["TavilyBot/1.0", "Tavily"],
    [compatible("Shap-User/1.0"), "Shap-User"],
    ["QwenCode/0.0.14 (linux; x64)", "Qwen Code"],
    ["kagi-fetcher/1.0", "kagi-fetcher"],
    ["opencode", "opencode"],
    ["opencode/0.14.1", "opencode"],
    ["cohere-ai", "cohere-ai"],
    ["codex_cli_rs/0.46.0 (Ubuntu 24.4.0; x86_64) xterm-256color", "Codex"],
    [inChrome("Grok-User/1.0"), "Grok-User"],
    ["Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; CHATGPT-USER/1.0)", "ChatGPT-User"],
    ["ChatGPT-User", "ChatGPT-User"],
  ],
  search: [
    [compatible("Googlebot/2.1; +http://www.google.com/bot.html"), "Googlebot"],
    [
      "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.7390.122 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
      "Googlebot",
    ],
    ["Googlebot-Image/1.0", "Googlebot"],
    [inChrome("bingbot/2.0; +http://www.bing.com/bingbot.htm"), "Bingbot"],
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot)",
      "OAI-SearchBot",
    ],
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-SearchBot/1.0; +https://www.anthropic.com)",
      "Claude-SearchBot",
    ],
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
      "PerplexityBot",
    ],
    [compatible("YandexBot/3.0; +http://yandex.com/bots"), "YandexBot"],
    [compatible("Baiduspider/2.0; +http://www.baidu.com/search/spider.html"), "Baiduspider"],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
      "Applebot",
    ],
    ["DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)", "DuckDuckBot"],
    [inChrome("Amzn-SearchBot/0.1"), "Amzn-SearchBot"],
    [compatible("MistralAI-Index/1.0"), "MistralAI-Index"],
    ["meta-webindexer/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)", "meta-webindexer"],
    [
      "Mozilla/5.0 (Linux; Android 7.0;) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; PetalBot;+https://webmaster.petalsearch.com/site/petalbot)",
      "PetalBot",
    ],
    [compatible("SeznamBot/4.0; +http://napoveda.seznam.cz/seznambot-intro/"), "SeznamBot"],
    ["Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)", "Sogou"],
    [compatible("Yeti/1.1; +https://naver.me/spd"), "Yeti"],
    [compatible("Qwantbot/1.0; +https://help.qwant.com/bot/"), "Qwantbot"],
    [compatible("MojeekBot/0.11; +https://www.mojeek.com/bot.html"), "MojeekBot"],
    [compatible("Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp"), "Slurp"],
    ["Kagibot/1.0 (+https://kagi.com/bot)", "Kagibot"],
    [chrome("X11; Linux x86_64").concat(" (compatible; Google-InspectionTool/1.0;)"), "Google-InspectionTool"],
  ],
  training: [
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
      "GPTBot",
    ],
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
      "ClaudeBot",
    ],
    ["anthropic-ai", "anthropic-ai"],
    [compatible("Claude-Web/1.0; +https://www.anthropic.com"), "Claude-Web"],
    ["CCBot/2.0 (https://commoncrawl.org/faq/)", "CCBot"],
    [
      "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)",
      "Bytespider",
    ],
    ["meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)", "meta-externalagent"],
    [inChrome("Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot"), "Amazonbot"],
    [inChrome("Google-CloudVertexBot; +https://cloud.google.com/enterprise-search"), "Google-CloudVertexBot"],
    [inChrome("GoogleOther"), "GoogleOther"],
    ["cohere-training-data-crawler", "cohere-training-data-crawler"],
    [compatible("AI2Bot/1.0; +http://www.allenai.org/crawler"), "AI2Bot"],
    [
      "Mozilla/5.0 (Windows; U; Windows NT 5.1; en-US; rv:1.9.1.2) Gecko/20090729 Firefox/3.5.2 (.NET CLR 3.5.30729; Diffbot/0.1)",
      "Diffbot",
    ],
    [compatible("PanguBot/1.0; pangubot@huawei.com"), "PanguBot"],
    ["Timpibot/0.9 (+http://www.timpi.io)", "Timpibot"],
    ["ImagesiftBot; +imagesift.com", "ImagesiftBot"],
    ["img2dataset/1.45.0", "img2dataset"],
    [compatible("FirecrawlAgent/1.0"), "FirecrawlAgent"],
    [chrome("X11; Linux x86_64").concat(" (compatible; Google-Extended)"), "Google-Extended"],
  ],
  other_bot: [
    ["facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "facebookexternalhit"],
    ["Twitterbot/1.0", "Twitterbot"],
    ["Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "Slackbot"],
    [compatible("Discordbot/2.0; +https://discordapp.com"), "Discordbot"],
    ["LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)", "LinkedInBot"],
    ["TelegramBot (like TwitterBot)", "TelegramBot"],
    [compatible("AhrefsBot/7.0; +http://ahrefs.com/robot/"), "AhrefsBot"],
    [compatible("SemrushBot/7~bl; +http://www.semrush.com/bot.html"), "SemrushBot"],
    [compatible("MJ12bot/v1.4.8; http://mj12bot.com/"), "MJ12bot"],
    [compatible("DataForSeoBot/1.0; +https://dataforseo.com/dataforseo-bot"), "DataForSeoBot"],
    [compatible("UptimeRobot/2.0; http://www.uptimerobot.com/"), "UptimeRobot"],
    [webkit("X11; Linux x86_64| HeadlessChrome/141.0.0.0 Safari/537.36"), "HeadlessChrome"],
    [
      "Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1",
      "PhantomJS",
    ],
    ["Scrapy/2.13 (+https://scrapy.org)", "Scrapy"],
    [chrome("Linux; Android 11; moto g power (2022)", " Mobile").concat(" Chrome-Lighthouse"), "Chrome-Lighthouse"],
    ["AdsBot-Google (+http://www.google.com/adsbot.html)", "AdsBot-Google"],
    [compatible("SomeNewBot/1.0; +https://new.example/bot"), "SomeNewBot"],
    ["rogerbot/1.0 (http://moz.com/help/pro/what-is-rogerbot-, rogerbot-crawler@moz.com)", "rogerbot"],
    ["Docent/0.1 (link check)", "Docent"],
    ["GPTBotany/1.0", "GPTBotany"],
    ["W3C_Validator/1.3 http://validator.w3.org/services", "W3C_Validator"],
  ],
  browser: [
    [chrome("Windows NT 10.0; Win64; x64"), "Chrome on Windows"],
    [chrome("Macintosh; Intel Mac OS X 10_15_7"), "Chrome on macOS"],
    [chrome("X11; Linux x86_64"), "Chrome on Linux"],
    [chrome("X11; CrOS x86_64 14541.0.0"), "Chrome on ChromeOS"],
    [chrome("Linux; Android 10; K", " Mobile"), "Chrome on Android"],
    [chrome("Windows NT 10.0; Win64; x64").concat(" Edg/141.0.0.0"), "Edge on Windows"],
    [chrome("Windows NT 10.0; Win64; x64").concat(" OPR/122.0.0.0"), "Opera on Windows"],
    [
      webkit("Linux; Android 14; SM-S911B| SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36"),
      "Samsung Internet on Android",
    ],
    [chrome("Windows NT 10.0; Win64; x64").concat(" Vivaldi/7.6"), "Vivaldi on Windows"],
    ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0", "Firefox on Windows"],
    ["Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox on Linux"],
    ["Mozilla/5.0 (Android 14; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0", "Firefox on Android"],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
      "Safari on macOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
      "Safari on iOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1",
      "Chrome on iOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/144.0 Mobile/15E148 Safari/605.1.15",
      "Firefox on iOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GSA/388.0 Mobile/15E148 Safari/604.1",
      "Safari on iOS",
    ],
    [chrome("Linux; Android 9; CUBOT_X19", " Mobile"), "Chrome on Android"],
    [chrome("Linux; Android 12; Spider 8", " Mobile"), "Chrome on Android"],
    [
      webkit("Windows NT 10.0; Win64; x64| Code/1.105.0 Chrome/138.0.0.0 Electron/37.6.0 Safari/537.36"),
      "Visual Studio Code on Windows",
    ],
    [
      webkit("Macintosh; Intel Mac OS X 10_15_7| Cursor/1.7.44 Chrome/138.0.0.0 Electron/37.6.0 Safari/537.36"),
      "Cursor on macOS",
    ],
    [
      webkit("Macintosh; Intel Mac OS X 10_15_7| Kiro/0.6.0 Chrome/138.0.0.0 Electron/37.6.0 Safari/537.36"),
      "Electron on macOS",
    ],
    ["Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko", "Internet Explorer on Windows"],
    [
      "Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; WOW64; Trident/5.0; chromeframe/12.0)",
      "Internet Explorer on Windows",
    ],
    [chrome("Linux; Android 14; Pixel 8; wv", " Mobile"), "Chrome on Android"],
    ["Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.18", "Opera on Windows"],
  ],
  http_client: [
    ["curl/8.14.1", "curl"],
    ["Wget/1.25.0", "Wget"],
    ["axios/1.8.4", "axios"],
    ["python-requests/2.32.5", "python-requests"],
    ["python-httpx/0.28.1", "python-httpx"],
    ["Python/3.12 aiohttp/3.12.15", "Python"],
    ["Go-http-client/2.0", "Go-http-client"],
    ["node", "node"],
    ["node-fetch/1.0 (+https://github.com/bitinn/node-fetch)", "node-fetch"],
    ["undici", "undici"],
    ["got (https://github.com/sindresorhus/got)", "got"],
    ["colly - https://github.com/gocolly/colly", "colly"],
    ["okhttp/4.12.0", "okhttp"],
    ["Java/21.0.8", "Java"],
    ["PostmanRuntime/7.46.0", "PostmanRuntime"],
    ["Deno/2.5.4", "Deno"],
    ["Bun/1.3.0", "Bun"],
    ["reqwest/0.12.23", "reqwest"],
    ["GuzzleHttp/7", "GuzzleHttp"],
    ["HTTPie/3.2.4", "HTTPie"],
    ["MyDocsReader/1.0", "MyDocsReader"],
    ["Cursory/1.0", "Cursory"],
    ["Traefik/3.1", "Traefik"],
    ["", "none"],
    ["   ", "none"],
  ],
};

const rows = Object.entries(table).flatMap(([category, list]) =>
  list.map((row) => ({ category, userAgent: row[0], product: row[1] })),
);

describe("the table of user agents", () => {
  test("has at least 120 rows", () => {
    expect(rows.length).toBeGreaterThanOrEqual(120);
  });

  test.each(rows)("$category: $product from $userAgent", ({ category, userAgent, product }) => {
    expect(classify(userAgent)).toMatchObject({ category, product });
  });
});

test("an unknown program adds nothing to the visitor key, whatever its name", () => {
  const part = (userAgent: string) => classify(userAgent).keyProduct;
  expect([part("MyDocsReader/1.0"), part("SomeNewBot/1.0"), part("")]).toEqual(["", "", ""]);
  expect([part(userAgents.curl), part(userAgents.chrome), part("Cursor/1.0")]).toEqual([
    "curl",
    "Chrome on Linux",
    "Cursor",
  ]);
});

test("reports which rule decided", () => {
  expect(classify("curl/8.14.1").reason).toBe("program curl");
  expect(classify("Claude-User/1.0")).toEqual({
    category: "assistant",
    product: "Claude-User",
    keyProduct: "Claude-User",
    operator: "Anthropic",
    reason: "agent Claude-User",
  });
});

test("ChatGPT's agent is recognized by its signature's name, as its user agent is a browser's", () => {
  for (const signatureAgent of ['"https://chatgpt.com"', 'sig1="https://chatgpt.com"']) {
    expect(classify(chrome("Macintosh; Intel Mac OS X 10_15_7"), signatureAgent)).toMatchObject({
      category: "assistant",
      product: "ChatGPT Agent",
    });
  }
  expect(classify(chrome("Macintosh; Intel Mac OS X 10_15_7"), '"https://other.example"').category).toBe("browser");
});

test("misclassifies less than 1 % of 10,000 user agents of real browsers", () => {
  // npm `user-agents` (BSD-2-Clause): user agents measured on real sites.
  const file = fileURLToPath(import.meta.resolve("user-agents")).replace(/[^/]+$/, "user-agents.json");
  const measured = JSON.parse(readFileSync(file, "utf8")) as { userAgent: string }[];
  const share = (userAgents: readonly string[]) =>
    userAgents.filter((userAgent) => classify(userAgent).category !== "browser").length / userAgents.length;
  const all = measured.map((one) => one.userAgent); // 10,000 visits, some 950 different user agents
  expect(all.length).toBeGreaterThanOrEqual(1_000);
  expect(share(all)).toBeLessThan(0.01);
  expect(share([...new Set(all)])).toBeLessThan(0.01);
});

test("takes less than 1 % of the crawlers in crawler-user-agents for a browser", () => {
  const all = crawlers.flatMap((crawler) => crawler.instances);
  const human = all.filter((userAgent) => classify(userAgent).category === "browser");
  expect(human.length).toBeLessThan(all.length / 100);
});

test("`isPlainBrowser` implies a browser for the classifier", () => {
  const named = Object.values(table).flatMap((rows) => rows.map(([userAgent]) => userAgent));
  const all = [...named, ...crawlers.flatMap((crawler) => crawler.instances)];
  expect(all.filter((userAgent) => isPlainBrowser(userAgent) && classify(userAgent).category !== "browser")).toEqual(
    [],
  );
  expect(isPlainBrowser(userAgents.chrome)).toBe(true);
  expect(isPlainBrowser(`${userAgents.chrome} Chrome/1`.padEnd(513, "0"))).toBe(false);
});

test.each(["Mobile/a", "Mobile", "Chrome/1", "Edge/1", "EdgA/1", "UBrowser/1", "UCBrowser/1.a-b+c", "wv"])(
  "classifies a user agent that repeats %s immediately",
  (token) => {
    const userAgent = `Mozilla/5.0 (X) AppleWebKit/1 (KHTML, like Gecko)${` ${token}`.repeat(46)} !`;
    // Not an exponential search: 2 ** 46 steps.
    const { result } = measureWork(() => [isPlainBrowser(userAgent), classify(userAgent).category]);
    expect(result).toHaveLength(2);
  },
);

test("truncates hostile user agents and spends little time on them", () => {
  const { threadMs } = measureWork(() => {
    for (let index = 0; index < 200; index++) {
      classify(`Mozilla/5.0 ${"(".repeat(4_000)}${index}${"bot ".repeat(1_000)}`);
      classify(`${"a".repeat(8_000)}${index}`);
      classify(`${String(index).repeat(3_000)}/${"1.".repeat(2_000)}`);
    }
  });
  expect(threadMs).toBeLessThan(5_000);
  expect(classify("\u0000\u0007evil\r\n".repeat(100)).product.length).toBeLessThanOrEqual(64);
});

test("reads a user agent up to its 512th character", () => {
  const browser = chrome("X11; Linux x86_64");
  const agent = " GPTBot/1.2";
  const upTo = (length: number) => browser + " ".repeat(length - browser.length - agent.length) + agent;
  expect(classify(upTo(512)).product).toBe("GPTBot");
  expect(classify(browser.padEnd(512) + agent)).toEqual(classify(browser.padEnd(512)));
  expect(classify(browser.padEnd(512) + agent).product).not.toBe("GPTBot");
});
