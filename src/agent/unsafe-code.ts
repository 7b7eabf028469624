import { Parser } from "acorn";
import jsx from "acorn-jsx";

const JsxParser = Parser.extend(jsx());
const MAX_LENGTH = 200_000;

/**
 * Why code in a page may not be added by the agent; null when it only names and holds values. A build of another
 * platform runs such code with its own rights: pages get no calls, no functions and no imports from elsewhere.
 */
export function unsafeModule(source: string): string | null {
  const program = parse(source);
  return program === null ? UNREADABLE : reasonIn(program, { forbidsJoining: true });
}

/** The same of what stands between braces. `isAddress` where the value is fetched or followed. */
export function unsafeExpression(source: string, { isAddress }: { isAddress: boolean }): string | null {
  const program = parse(`[${source}\n]`);
  return program === null ? UNREADABLE : reasonIn(program, { forbidsJoining: isAddress });
}

/** Whether an address would run something in place of leading somewhere. */
export function isScriptAddress(address: string): boolean {
  // Browsers leave out control characters and line breaks before they look at the scheme.
  return /^(?:javascript|vbscript|data:(?:text\/(?:html|xml|javascript)|application\/(?:xhtml|xml|javascript)))/i.test(
    address.replace(/[\p{Cc}\p{Cf}\s]/gu, ""),
  );
}

const UNREADABLE = "Code that cannot be read may not be added";
const RUNS = "Code that runs may not be added";
const ELSEWHERE = "An import from another host may not be added";
const SCRIPT_ADDRESS = "A script address may not be added";
const JOINED = "An address put together by code may not be added";

const RUNNING: ReadonlySet<string> = new Set([
  "ArrowFunctionExpression",
  "AssignmentExpression",
  "AwaitExpression",
  "CallExpression",
  "ClassDeclaration",
  "ClassExpression",
  "FunctionDeclaration",
  "FunctionExpression",
  "ImportExpression",
  "MetaProperty",
  "NewExpression",
  "TaggedTemplateExpression",
  "UpdateExpression",
  "YieldExpression",
]);

type Node = Record<string, unknown> & { type: string };

function parse(source: string): Node | null {
  if (source.length > MAX_LENGTH) return null;
  try {
    return JsxParser.parse(source, { ecmaVersion: "latest", sourceType: "module" }) as unknown as Node;
  } catch {
    return null; // not JavaScript, or nested deeper than the stack
  }
}

function reasonIn(program: Node, { forbidsJoining }: { forbidsJoining: boolean }): string | null {
  const open: unknown[] = [program];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (Array.isArray(node)) open.push(...(node as unknown[]).filter((item) => item !== undefined));
    else if (isNode(node)) {
      const reason = reasonAt(node, forbidsJoining);
      if (reason !== null) return reason;
      open.push(...Object.values(node).filter((value) => typeof value === "object" && value !== null));
    }
  }
  return null;
}

function reasonAt(node: Node, forbidsJoining: boolean): string | null {
  if (RUNNING.has(node.type)) return RUNS;
  if (/^(?:Import|Export\w*)Declaration$/.test(node.type) && isNode(node["source"])) {
    const from = String(node["source"]["value"]);
    if (/^[a-z][a-z0-9+.-]*:|^[\\/]{2}/i.test(from)) return ELSEWHERE;
  }
  if (node.type === "Literal" && typeof node["value"] === "string" && isScriptAddress(node["value"]))
    return SCRIPT_ADDRESS;
  if (
    node.type === "JSXIdentifier" &&
    /^(?:script|iframe|object|embed|on[A-Z]\w*|dangerouslySetInnerHTML)$/.test(String(node["name"]))
  ) {
    return RUNS;
  }
  if (!forbidsJoining) return null;
  const isJoined = node.type === "BinaryExpression" && node["operator"] === "+";
  const isTemplate =
    node.type === "TemplateLiteral" && Array.isArray(node["expressions"]) && node["expressions"].length > 0;
  return isJoined || isTemplate ? JOINED : null;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
