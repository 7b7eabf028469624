import { compile, neededWords, type Node } from "#rules/grammar/template.ts";
import type { ChoreForm } from "./chore-form.ts";
import { docsForms } from "./docs-forms.ts";
import { fieldForms } from "./field-forms.ts";
import { imageForms } from "./image-forms.ts";
import { linkForms, redirectForms } from "./link-forms.ts";
import { navigationForms } from "./navigation-forms.ts";
import { pageForms } from "./page-forms.ts";
import { sectionForms } from "./section-forms.ts";
import { termForms } from "./term-forms.ts";

/** Every chore that the rules know, in the order in which they are suggested. */
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
  needed: ReturnType<typeof neededWords>;
}

let compiled: readonly Row[] | null = null;

/** All templates, compiled for the first sentence: a server that only hosts documentation does not need them. */
export function formRows(): readonly Row[] {
  compiled ??= choreForms.flatMap((form) => form.forms.map((template) => rowOf(form, template)));
  return compiled;
}

/** A row that allows restrictions before and after the instruction. */
function rowOf(form: ChoreForm, template: string): Row {
  const said = compile(template);
  const nodes = [...nodesOf(compile("~ [,|:] [just|only|please|also]*")), ...nodesOf(said), ...nodesOf(compile("~"))];
  return { form, node: { kind: "sequence", nodes }, needed: neededWords(said) };
}

const nodesOf = (node: Node): readonly Node[] => (node.kind === "sequence" ? node.nodes : [node]);
