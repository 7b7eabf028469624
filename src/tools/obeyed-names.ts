// Files that tools, agents and reviewers follow because of their name or location, although they look like documentation.
// Checked November 2026 against the docs of Claude Code, Codex, Cursor, Gemini, Copilot, opencode, Amp, Goose and code hosts.

/** Data files that a package manager, a build, a host or a crawler reads as its configuration. */
const TOOL_FILE =
  /^(?:package(?:-lock)?|npm-shrinkwrap|composer|deno|bun|jsr|tsconfig.*|jsconfig.*|vercel|now|netlify|amplify|render|fly|railway|firebase|renovate.*|turbo|nx|project|workspace|lerna|wrangler|app|apphosting|manifest|babel.*|biome|angular|cspell.*|nodemon|pnpm-lock|pnpm-workspace|yarn|docker-compose.*|compose.*|mkdocs|_(?!category_\.).*|hugo|antora.*|action|cloudbuild|buildspec|appspec|appveyor|azure-pipelines.*|bitbucket-pipelines|bitrise|codemagic|codecov|serverless.*|skaffold|chart|values.*|template|sam|pulumi.*|taskfile|lefthook|.*requirements.*|constraints.*|environment.*|conda.*|cmakelists|codemeta|mcp.*|.*[-_.]mcp|opencode|crush|claude.*|settings.*|skills|hooks|plugin|marketplace|robots|ads|app-ads|security|humans|llms.*|sitemap.*|.*[.-]config|config|.*\.workflow)\.(?:json|ya?ml|txt|toml|csv)$/i;
// The spelling that agents look for, in any folder.
const INSTRUCTIONS =
  /(?:^|\/)(?:AGENTS?|CLAUDE|GEMINI|SKILLS?|CODEOWNERS|CONVENTIONS|QWEN|WARP|CRUSH|IFLOW|REPLIT|CONTEXT|OPENCODE|JULES|CODEX|GOOSE|JUNIE|MEMORY|SOUL|HEARTBEAT)(?:\.[\w-]+)?\.(?:md|mdx|markdown)$/;
const ANYWHERE =
  /(?:^|\/)(?:copilot-instructions|(?:pull|merge)_request_template|issue_template|[^/]*\.(?:instructions|prompt|agent|chatmode|rules))\.(?:md|mdx|markdown)$|(?:^|\/)(?:(?:pull|merge)_request_template|(?:issue|merge_request)_templates?)\/|(?:^|\/)(?:config\/vocabularies|vocab)\/[^/]+\/(?:accept|reject)\.txt$/i;
const ROOT_INSTRUCTIONS =
  /^(?:agents?|claude|gemini|skills?|codeowners|conventions|qwen|warp|crush|iflow|replit|opencode|context|jules|codex|goose|junie|memory|soul|heartbeat)(?:\.[\w-]+)?\.(?:md|markdown)$/i;
// Names that a case-insensitive file system treats as those above.
const AS_INSTRUCTIONS =
  /(?:^|\/)(?:agents?|claude|gemini|skills?|qwen|crush)(?:\.(?:local|override))?\.(?:md|markdown)$/i;
// Every file in them is a command, an agent, a skill or a rule for some agent, but a page in many docs.
const AS_FOLDER =
  /(?:^|\/)(?:commands?|agents?|subagents|skills?|prompts?|rules|hooks|output-styles|chatmodes|instructions|steering|memory-bank|recipes|personas|modes)\/(?:[^/]+\/){0,8}[^/]+\.(?:md|markdown)$/i;

/** Whether a file of this name configures a tool or a build, in any folder. */
export const configuresTool = (path: string): boolean =>
  TOOL_FILE.test((path.split("/").at(-1) ?? "").normalize("NFKC"));

/** Whether a file of this name instructs agents or reviewers, even if the docs list it as a page. */
export function instructsAgents(path: string): boolean {
  // As a reader, or a file system that treats some letters as equal, sees the name.
  const plain = path.normalize("NFKC");
  return [INSTRUCTIONS, ANYWHERE, ROOT_INSTRUCTIONS].some((pattern) => pattern.test(plain));
}

/**
 * Whether a file may instruct agents: it is in a folder that they search, or has a name that they read. It counts as a page of
 * the docs if the navigation lists it.
 */
export const mayInstructAgents = (path: string): boolean =>
  isNamedForAgents(path) || AS_FOLDER.test(path.normalize("NFKC"));

/** Whether the name alone shows that. */
export const isNamedForAgents = (path: string): boolean => AS_INSTRUCTIONS.test(path.normalize("NFKC"));
