/** Mermaid 12: what is surely drawn of the source of a diagram. */

/** Colors and styles of parts, links that are not drawn, and updates of both in C4 diagrams. */
const STYLED = /^(?:classDef|style|linkStyle|Update\w+Style|Add\w+Tag)\b|~~~/;
/** Statements whose words are addresses, tooltips and menus, and comments. */
const NOT_DRAWN = /^(?:%%|#|click|link|links|callback|properties|details|UpdateLayoutConfig)(?![\w-])/;
/** Settings that hide nothing. Others may set colors, sizes and styles, or leave out labels. */
const PLAIN_SETTINGS = new Set(
  "init initialize config title theme look layout curve flowchart sequence gantt er class state defaultRenderer htmlLabels useMaxWidth showSequenceNumbers mirrorActors rightAngles displayMode axisFormat".split(
    " ",
  ),
);
/** How many arguments of a call in a C4 diagram are drawn; of others, four: alias, label, technology, description. */
const DRAWN_ARGUMENTS: Record<string, number> = { Person: 3, System: 3 };

/** The drawn words of a diagram; none where it sets its own styles. */
export function drawnText(source: string): string {
  const front = /^\s{0,9}---\n([\s\S]{0,2000}?)\n---(?:\n|$)/.exec(source);
  const title = /^title:.*$/m.exec(front?.[1] ?? "")?.[0] ?? "";
  const body = source.slice(front?.[0].length ?? 0);
  const directives = body.match(/%%\{[\s\S]{0,2000}?\}%%/g) ?? [];
  const settings = [front?.[1]?.replace(/^title:.*$/m, "") ?? "", ...directives];
  if (settings.some((text) => !isPlain(text))) return "";
  const statements = statementsOf(body.replaceAll(/%%\{[\s\S]{0,2000}?\}%%/g, ""));
  if (statements.some((statement) => STYLED.test(statement))) return "";
  const isC4 = statements.some((statement) => /^C4\w/.test(statement));
  const drawn = statements.filter((statement) => !NOT_DRAWN.test(statement)).map(isC4 ? drawnCall : drawnLabels);
  return [title, ...drawn].join("\n");
}

const isPlain = (settings: string) =>
  [...settings.matchAll(/(?<![\w-])([\w-]+)["']?\s{0,9}:/g)].every(([, name = ""]) => PLAIN_SETTINGS.has(name));

/** Lines, and what `;` separates in them, without comments at their ends. The `;` of `#35;` separates nothing. */
function statementsOf(source: string): string[] {
  return source
    .split("\n")
    .map((line) => line.replace(/%%(?!\{).*/, ""))
    .flatMap((line) => line.replaceAll(/(#\w{1,8});/g, "$1\u{e000}").split(";"))
    .map((statement) => statement.replaceAll("\u{e000}", ";").trim());
}

/** Without the properties of shapes, except their labels, and without the names of classes and icons. */
const drawnLabels = (statement: string): string =>
  statement
    .replaceAll(/@\{[^{}]{0,2000}\}/g, (shape) => (shape.match(DRAWN_PROPERTY) ?? []).join(" "))
    .replace(/^::icon\([^()]*\)|^:::.*/, "");

const DRAWN_PROPERTY = /\b(?:label|shape)\s{0,9}:\s{0,9}(?:"[^"]*"|[^,}]*)/g;

/** A call such as `Rel(a, b, "Label", "HTTP", "Description")`: the later arguments are sprites, tags and links. */
function drawnCall(statement: string): string {
  const [, name = "", given = ""] = /^(\w{1,40})\s{0,9}\((.*)\)/.exec(statement) ?? [];
  if (name === "") return statement;
  const most = Object.entries(DRAWN_ARGUMENTS).find(([start]) => name.startsWith(start))?.[1] ?? 4;
  const all = given.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
  const isHidden = (argument: string) =>
    /^\s{0,9}\$(?:tags|link|sprite|offset\w*|\w*[cC]olor)\b/.test(argument) ||
    (name.includes("Rel") && /^\s{0,9}\$descr\b/.test(argument));
  return all
    .slice(0, most)
    .concat(all.slice(most).filter((argument) => /^\s{0,9}\$/.test(argument)))
    .filter((argument) => !isHidden(argument))
    .join(" ");
}
