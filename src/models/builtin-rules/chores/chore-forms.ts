import { compile, firstWords, type Node, slotsOf } from "#models/builtin-rules/grammar/template.ts";
import { type ChoreForm, unreadSlots } from "./chore-form.ts";
import { docsForms } from "./docs-forms.ts";
import { fieldForms } from "./field-forms.ts";
import { imageForms } from "./image-forms.ts";
import { linkForms, redirectForms } from "./link-forms.ts";
import { navigationForms } from "./navigation-forms.ts";
import { pageForms } from "./page-forms.ts";
import { sectionForms } from "./section-forms.ts";
import { termForms } from "./term-forms.ts";

/** Every chore that the rules know, in the order in which they are proposed. */
export const choreForms: readonly ChoreForm[] = [
  ...termForms,
  ...linkForms,
  ...redirectForms,
  ...pageForms,
  ...sectionForms,
  ...fieldForms,
  ...imageForms,
  ...docsForms,
  ...navigationForms,
];

/** One template of a form, compiled. */
export interface Row {
  form: ChoreForm;
  node: Node;
  /** Words one of which a sentence of this form has; null when it may begin with a name. */
  first: ReadonlySet<string> | null;
}

/** Restrictions may stand before and after any instruction. */
export const rows: readonly Row[] = choreForms.flatMap((form) =>
  form.forms.map((template) => {
    const node = compile(`~ [,|:] [just|only|please|also]* ${template} ~`);
    const unread = unreadSlots(form, slotsOf(node));
    if (unread.length > 0)
      throw new Error(`${form.tool} does not read the slot “${unread.join("”, “")}” of: ${template.slice(0, 300)}`);
    return { form, node, first: firstWords(compile(template)) };
  }),
);
