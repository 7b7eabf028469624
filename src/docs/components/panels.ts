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
  /** Index of the one that is open. */
  first?: number;
  /** Whether it follows groups with equal titles. */
  sync?: boolean;
}

/**
 * Radio buttons, so that tabs change without a script: in the styles the panel after a checked one is shown. A script
 * may open the panel that the address names, and keep groups with equal titles in step by `data-tab`.
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
