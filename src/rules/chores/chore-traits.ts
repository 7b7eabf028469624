/** What the rules know of a chore in addition to its forms. A chore without an entry changes files, and has none of these. */
interface Traits {
  /** It changes nothing, so a question may request it. */
  readsOnly?: true;
  /** It supports `in` and works on all of the docs without it. */
  isHeldToAPart?: true;
  /** Its input makes sense for any page, so “also on the page …” can mean it. */
  saysTheSameOfAnyPage?: true;
}

const traits: Readonly<Record<string, Traits>> = {
  replace_term: { isHeldToAPart: true },
  check_links: { isHeldToAPart: true, readsOnly: true },
  fix_links: { isHeldToAPart: true },
  add_missing_descriptions: { isHeldToAPart: true },
  report_missing_alt: { isHeldToAPart: true, readsOnly: true },
  normalise_style: { isHeldToAPart: true },
  add_section: { saysTheSameOfAnyPage: true },
  remove_section: { saysTheSameOfAnyPage: true },
  add_callout: { saysTheSameOfAnyPage: true },
  set_front_matter: { saysTheSameOfAnyPage: true },
  orphan_report: { readsOnly: true },
  audit: { readsOnly: true },
};

export const hasTrait = (tool: string, trait: keyof Traits): boolean => traits[tool]?.[trait] === true;
