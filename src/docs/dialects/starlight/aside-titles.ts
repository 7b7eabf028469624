import { parse as parseJson } from "jsonc-parser";
import { Data } from "#docs/dialects/reading/data.ts";
import type { RepositoryFiles } from "#docs/dialects/repository.ts";
import type { CalloutTitles } from "#docs/page-rules.ts";
import { createProblemList, type ProblemList } from "#docs/problems.ts";
import type { StarlightLocale } from "./menu.ts";

const KINDS = ["note", "tip", "caution", "danger"] as const;

// oxfmt-ignore
/** The words of Starlight 0.41 for a note, a tip, a caution and a danger, by language; English in all other languages. */
const WORDS: Readonly<Record<string, readonly [string, string, string, string]>> = {
  ar: ["ملاحظة", "نصيحة", "تنبيه", "تحذير"],
  ca: ["Nota", "Consell", "Precaució", "Perill"],
  cs: ["Poznámka", "Tip", "Upozornění", "Nebezpečí"],
  da: ["Note", "Tip", "Bemærk", "Advarsel"],
  de: ["Hinweis", "Tipp", "Achtung", "Gefahr"],
  el: ["Σημείωση", "Συμβουλή", "Προσοχή", "Κίνδυνος"],
  en: ["Note", "Tip", "Caution", "Danger"],
  es: ["Nota", "Consejo", "Precaución", "Peligro"],
  fa: ["یادداشت", "نکته", "احتیاط", "خطر"],
  fi: ["Huomio", "Vinkki", "Varoitus", "Vaara"],
  fr: ["Note", "Astuce", "Attention", "Danger"],
  gl: ["Nota", "Consello", "Precaución", "Perigo"],
  hi: ["टिप्पणी", "संकेत", "सावधानी", "खतरा"],
  hu: ["Megjegyzés", "Tipp", "Figyelem", "Veszély"],
  id: ["Catatan", "Tips", "Perhatian", "Bahaya"],
  it: ["Nota", "Consiglio", "Attenzione", "Pericolo"],
  ja: ["ノート", "ヒント", "注意", "危険"],
  ko: ["참고", "팁", "주의", "위험"],
  lv: ["Piezīme", "Padoms", "Uzmanību", "Bīstamība"],
  nb: ["Merknad", "Tips", "Advarsel", "Fare"],
  nl: ["Opmerking", "Tip", "Opgepast", "Gevaar"],
  pl: ["Notatka", "Wskazówka", "Uwaga", "Ważne"],
  pt: ["Nota", "Dica", "Cuidado", "Perigo"],
  ro: ["Mențiune", "Sfat", "Atenție", "Pericol"],
  ru: ["Заметка", "Совет", "Осторожно", "Опасно"],
  sk: ["Poznámka", "Tip", "Upozornenie", "Nebezpečenstvo"],
  th: ["หมายเหตุ", "เคล็ดลับ", "คำเตือน", "อันตราย"],
  tr: ["Not", "İpucu", "Dikkat", "Tehlike"],
  uk: ["Заувага", "Порада", "Обережно", "Небезпечно"],
  vi: ["Ghi chú", "Mẹo", "Chú ý", "Nguy hiểm"],
  "zh-CN": ["注意", "提示", "警告", "危险"],
  "zh-TW": ["注意", "提示", "警告", "危險"],
};

/** Titles of asides by language, with those that the team writes to `src/content/i18n`. */
export async function asideTitles(
  locales: readonly StarlightLocale[],
  { repository, problems, folder }: { repository: RepositoryFiles; problems: ProblemList; folder: string },
): Promise<CalloutTitles[]> {
  return Promise.all(
    locales.map(async ({ folder: address, lang }) => {
      const own = await ownWords(`${folder}/${lang}`, { repository, problems });
      const words = wordsOf(lang);
      const titles = KINDS.map(
        (kind, index) => [kind, own.get(`aside.${kind}`).text() ?? words[index] ?? kind] as const,
      );
      return { folder: address.toLowerCase(), titles: Object.fromEntries(titles) };
    }),
  );
}

function wordsOf(lang: string): readonly string[] {
  const [language = ""] = lang.split("-");
  const name = [lang, language, "en"].find((each) => Object.hasOwn(WORDS, each)) ?? "en";
  return WORDS[name] ?? [];
}

async function ownWords(
  stem: string,
  { repository, problems }: { repository: RepositoryFiles; problems: ProblemList },
): Promise<Data> {
  const file = [".json", ".yml", ".yaml"].map((extension) => stem + extension).find((path) => repository.has(path));
  if (file === undefined) return Data.of({}, problems);
  if (!file.endsWith(".json")) return repository.yaml(file, problems);
  return Data.of(parseJson((await repository.text(file)) ?? "{}") as unknown, createProblemList(0));
}
