import { attributes } from "#docs/markup/html.ts";
import type { ComponentPrinter } from "./component-printer.ts";

export interface Panel {
  title: string;
  /** Already HTML. */
  label: string;
  id: string | null;
  body: string;
}

interface PanelOptions {
  printer: ComponentPrinter;
  /** For the whole group. */
  id: string | null;
  /** Index of the open panel. */
  first?: number;
  /** Whether it switches together with groups that have equal titles. */
  sync?: boolean;
}

/**
 * Radio buttons, so that tabs work without a script: the styles show the panel after a checked one. A script may open the
 * panel that the URL names, and synchronizes groups with equal titles by `data-tab`.
 */
export function printPanels(
  className: string,
  panels: readonly Panel[],
  { printer, id: groupId, first = 0, sync = true }: PanelOptions,
): string {
  const group = printer.groupName();
  const items = panels.map(({ title, label, id, body }, index) => {
    const input = `${group}-${index + 1}`;
    return (
      `<input class="tab-input" type="radio"${attributes({ name: group, id: input, checked: index === first, "data-tab": sync ? title : null })}>` +
      `<label class="tab-label"${attributes({ for: input })}>${label}</label>` +
      `<div class="tab-panel"${attributes({ id })}>${body}</div>`
    );
  });
  return `<div class="tabs${className}" role="group" data-tabs${attributes({ id: groupId })}>${items.join("")}</div>\n`;
}
