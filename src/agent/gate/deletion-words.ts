// In the languages that prompts were written in so far. A request to merge pages asks for some of them to go.
const WORDS =
  /(?<![\p{L}\p{N}])(?:delet\w*|remov\w*|(?:drop(?:s|ped|ping)?|prun(?:e|es|ed|ing)|discard(?:s|ed|ing)?|eras(?:e|es|ed|ing)|purg(?:e|es|ed|ing)|retir(?:e|es|ed|ing)|unpublish(?:es|ed|ing)?|hid(?:e|es|ing|den)|archiv(?:e|es|ed|ing)|merg(?:e|es|ed|ing)|combin(?:e|es|ed|ing)|get(?:ting)? rid|throw(?:ing)? (?:away|out)|tak(?:e|ing) (?:out|down)|clean(?:ing)? (?:up|out)|clear(?:ing)? out)(?!\p{L})|consolidat\w*|lösch\w*|entfern\w*|supprim\w*|enlev\w*|elimin\w*|borra\w*|quita\w*|suprim\w*|apaga\w*|cancellare|rimuov\w*|verwijder\w*|usuń|удал|убер)/giu;
const WORDS_WITHOUT_SPACES = /删除|移除|刪除|削除|取り除|삭제|제거/;
// "Do not remove anything", "without deleting a page".
const DENIED =
  /(?:\b(?:not|never|without|no|avoid|nothing|instead of)|n['’]t|\b(?:nicht|keine?|ohne|ne|sans|non|sin|sem))(?:\s+[\p{L}\p{N}_-]+){0,2}\s*$/iu;
const LOOK_BACK = 60;

/** Whether one of the instructions asks, in words, that something is taken away. */
export function isDeletionAsked(prompts: readonly string[]): boolean {
  return prompts.some((prompt) => {
    if (WORDS_WITHOUT_SPACES.test(prompt)) return true;
    return [...prompt.matchAll(WORDS)].some(
      ({ index }) => !DENIED.test(prompt.slice(Math.max(0, index - LOOK_BACK), index).replaceAll("_", " ")),
    );
  });
}

const SHORTER =
  /\b(?:shorten|shorter|condens|trim|summari[sz]|simplif|rewrit|rework|restructur|reorgani[sz]|split|extract|mov(?:e|es|ing)|brief|concise|kürz|zusammenfass|resum|raccourc|abrevi|accorci)/i;

/** Whether one of the instructions asks for texts that are shorter, or in another place. */
export const isShorterAsked = (prompts: readonly string[]): boolean => prompts.some((prompt) => SHORTER.test(prompt));
