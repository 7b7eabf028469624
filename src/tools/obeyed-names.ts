// What tools, agents and reviewers obey because of its name or place, though it ends like documentation. Checked November
// 2026 against what Claude Code, Codex, Cursor, Gemini, Copilot, opencode, Amp, Goose and the code hosts document.

/** Files with an extension of data that a package manager, a build, a host or a crawler obeys. */
const TOOL_FILE =
  /^(?:package(?:-lock)?|npm-shrinkwrap|composer|deno|bun|jsr|tsconfig.*|jsconfig.*|vercel|now|netlify|amplify|render|fly|railway|firebase|renovate.*|turbo|nx|project|workspace|lerna|wrangler|app|apphosting|manifest|babel.*|biome|angular|cspell.*|nodemon|pnpm-lock|pnpm-workspace|yarn|docker-compose.*|compose.*|mkdocs|_.*|hugo|antora.*|action|cloudbuild|buildspec|appspec|appveyor|azure-pipelines.*|bitbucket-pipelines|bitrise|codemagic|codecov|serverless.*|skaffold|chart|values.*|template|sam|pulumi.*|taskfile|lefthook|.*requirements.*|constraints.*|environment.*|conda.*|cmakelists|codemeta|mcp.*|.*[-_.]mcp|opencode|crush|claude.*|settings.*|skills|hooks|plugin|marketplace|robots|ads|app-ads|security|humans|llms.*|sitemap.*|.*[.-]config|config|.*\.workflow)\.(?:json|ya?ml|txt|toml|csv)$/i;
// The spelling that agents look for, in any folder.
const INSTRUCTIONS =
  /(?:^|\/)(?:AGENTS?|CLAUDE|GEMINI|SKILLS?|CODEOWNERS|CONVENTIONS|QWEN|WARP|CRUSH|IFLOW|REPLIT|CONTEXT|OPENCODE|JULES|CODEX|GOOSE|JUNIE|MEMORY|SOUL|HEARTBEAT)(?:\.[\w-]+)?\.(?:md|mdx|markdown)$/;
const ANYWHERE =
  /(?:^|\/)(?:copilot-instructions|(?:pull|merge)_request_template|issue_template|[^/]*\.(?:instructions|prompt|agent|chatmode|rules))\.(?:md|mdx|markdown)$|(?:^|\/)(?:(?:pull|merge)_request_template|(?:issue|merge_request)_templates?)\/|(?:^|\/)(?:config\/vocabularies|vocab)\/[^/]+\/(?:accept|reject)\.txt$/i;
const ROOT_INSTRUCTIONS =
  /^(?:agents?|claude|gemini|skills?|codeowners|conventions|qwen|warp|crush|iflow|replit|opencode|context|jules|codex|goose|junie|memory|soul|heartbeat)(?:\.[\w-]+)?\.(?:md|markdown)$/i;
// Names that a file system without capitals takes for those above.
const AS_INSTRUCTIONS =
  /(?:^|\/)(?:agents?|claude|gemini|skills?|qwen|crush)(?:\.(?:local|override))?\.(?:md|markdown)$/i;
// Every file in them is a command, an agent, a skill or a rule to one agent or another, and a page to many docs.
const AS_FOLDER =
  /(?:^|\/)(?:commands?|agents?|subagents|skills?|prompts?|rules|hooks|output-styles|chatmodes|instructions|steering|memory-bank|recipes|personas|modes)\/(?:[^/]+\/){0,8}[^/]+\.(?:md|markdown)$/i;

/** Whether a file of this name configures a tool or a build, in any folder. */
export const configuresTool = (path: string): boolean =>
  TOOL_FILE.test((path.split("/").at(-1) ?? "").normalize("NFKC"));

/** Whether a file of this name instructs agents or reviewers, even if the docs list it as a page. */
export function instructsAgents(path: string): boolean {
  // As a reader or a file system with its own idea of equal letters takes it.
  const plain = path.normalize("NFKC");
  return [INSTRUCTIONS, ANYWHERE, ROOT_INSTRUCTIONS].some((pattern) => pattern.test(plain));
}

/**
 * Whether it may instruct agents: it stands where they look, or is called like what they read. It is a page of the docs
 * where the navigation says so.
 */
export const mayInstructAgents = (path: string): boolean =>
  isNamedForAgents(path) || AS_FOLDER.test(path.normalize("NFKC"));

/** Whether its name alone says so. */
export const isNamedForAgents = (path: string): boolean => AS_INSTRUCTIONS.test(path.normalize("NFKC"));
