/** Mermaid 12: what is surely drawn of the source of a diagram. */

/** Colors and styles of parts, links that are not drawn, and updates of both in C4 diagrams. */
const STYLED = /^(?:classDef|style|linkStyle|Update\w+Style|Add\w+Tag)\b|~~~/;
/** Statements whose words are addresses, tooltips and menus, and comments. */
const NOT_DRAWN = /^(?:%%|#|click|link|links|callback|properties|details|UpdateLayoutConfig)(?![\w-])/;
/** Settings of a Gantt diagram, which are not drawn, with values that are no sentences. */
const SETS_GANTT =
  /^(?:dateFormat|axisFormat|tickInterval|weekday|weekend|includes|excludes|todayMarker|inclusiveEndDates|topAxis|accTitle|accDescr)\b/i;
const PLAIN_GANTT =
  /^(?:(?:dateFormat|axisFormat)[ \t]{1,9}[-%YMDHhmsSXxAaBbdjIpPeyLZzQoWwUT .:/,]{1,40}|(?:tickInterval|weekday|weekend|todayMarker)[ \t]{1,9}\w{1,20}|inclusiveEndDates|topAxis)$/i;
const DAYS = /^(?:in|ex)cludes[ \t]/i;
const DAY = /^(?:weekends|\w{3,6}day|[-\d.]{0,12})$/i;
/** What stands behind the colon of a task: tags, dates, durations, other tasks. */
const OF_TASKS =
  /^(?:done|active|crit|milestone|vert|(?:after|until)[ \t]{1,9}[a-z]{0,9}\d{0,9}|[-\d:./T ]{1,30}|\d{1,9}(?:\.\d{1,9})?(?:ms|[smhdwMy]))$/;

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
  const isGantt = statements.some((statement) => /^gantt\b/.test(statement));
  const drawn = statements
    .filter((statement) => !NOT_DRAWN.test(statement))
    .map((statement) => (isGantt ? drawnOfGantt(statement) : statement))
    .map(isC4 ? drawnCall : drawnLabels);
  return [title, ...drawn].join("\n");
}

/** A setting or the end of a task counts as drawn where it is of the usual form: it could be no sentence. */
function drawnOfGantt(statement: string): string {
  if (DAYS.test(statement))
    return statement
      .split(/[\s,]+/)
      .slice(1)
      .every((day) => DAY.test(day))
      ? statement
      : "";
  if (SETS_GANTT.test(statement)) return PLAIN_GANTT.test(statement) ? statement : "";
  if (/^(?:title|section)\b/.test(statement)) return statement;
  const [name = "", ...rest] = statement.split(":");
  const parts = rest
    .join(":")
    .split(",")
    .map((part) => part.trim());
  const free = parts.filter((part) => !OF_TASKS.test(part));
  return free.length === 0 || (free.length === 1 && /^\w{1,20}$/.test(free[0]!)) ? statement : name;
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
