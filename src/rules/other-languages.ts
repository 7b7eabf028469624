/** Tells people who write in another language, in that language, that the built-in rules only read English. */

interface Language {
  /** How much of a text is in this language: letters of its script, or words that are rare in English requests. 0: none. */
  share: (text: string) => number;
  /** The answer up to the sentence to send. */
  says: string;
}

const script = (name: string) => {
  const letters = new RegExp(`\\p{Script=${name}}`, "gu");
  return (text: string) => ((text.match(letters)?.length ?? 0) >= 4 ? 1_000 : 0);
};

/** Requires two of these words, so that a name such as “Die Zeit” is not German. None of them is also an English word. */
const words = (list: string) => {
  const known = new Set(list.split(" "));
  return (text: string) => {
    const found = new Set((text.toLowerCase().match(/[\p{L}’']+/gu) ?? []).filter((word) => known.has(word)));
    return found.size >= 2 ? found.size : 0;
  };
};

const LANGUAGES: readonly Language[] = [
  { share: (text) => (/[\u3040-\u30ff]{2}/.test(text) ? 2_000 : 0), says: "組み込みルールが理解できるのは英語だけです。例：" },
  { share: script("Hangul"), says: "내장 규칙은 영어만 이해합니다. 예:" },
  { share: script("Han"), says: "内置规则只能理解英语。例如：" },
  { share: script("Cyrillic"), says: "Встроенные правила понимают только английский. Например:" },
  { share: script("Arabic"), says: "تفهم القواعد المدمجة الإنجليزية فقط. مثلاً:" },
  { share: script("Devanagari"), says: "अंतर्निहित नियम केवल अंग्रेज़ी समझते हैं। जैसे:" },
  { share: script("Bengali"), says: "অন্তর্নির্মিত নিয়মগুলো শুধু ইংরেজি বোঝে। যেমন:" },
  { share: words("ersetze ersetzt durch bitte alle überall seite seiten behebe repariere defekte entferne lösche verschiebe nach füge hinzu ändere und oder nicht der das dem mit auf umbenennen benenne"), says: "Die eingebauten Regeln verstehen nur Englisch. Zum Beispiel:" },
  { share: words("remplace remplacez par partout toutes tous les liens cassés corrige corrigez supprime supprimez déplace déplacez vers ajoute ajoutez renomme la dans et sur une"), says: "Les règles intégrées ne comprennent que l’anglais. Par exemple :" },
  { share: words("reemplaza reemplace por todas todos los las enlaces rotos corrige corregir elimina elimine mueve mueva añade agrega cambia página páginas en una y del"), says: "Las reglas integradas solo entienden inglés. Por ejemplo:" },
  { share: words("substitua substituir por todas todos os quebrados corrija remova mova adicione página páginas em uma não da"), says: "As regras integradas só entendem inglês. Por exemplo:" },
  { share: words("sostituisci con ovunque tutte tutti interrotti correggi rimuovi sposta aggiungi pagina pagine nella una del della rinomina"), says: "Le regole integrate capiscono solo l’inglese. Per esempio:" },
  { share: words("ganti dengan semua halaman perbaiki tautan rusak hapus pindahkan tambahkan di dan yang"), says: "Aturan bawaan hanya memahami bahasa Inggris. Misalnya:" },
  { share: words("değiştir ile tüm sayfa sayfayı sayfaları bozuk bağlantıları düzelt kaldır sil taşı ekle ve bir"), says: "Yerleşik kurallar yalnızca İngilizce anlar. Örneğin:" },
  { share: words("vervang overal alle pagina pagina’s herstel kapotte verwijder verplaats naar voeg het een niet"), says: "De ingebouwde regels begrijpen alleen Engels. Bijvoorbeeld:" },
]; // oxfmt-ignore

const EXAMPLES =
  'Replace "old name" with "new name" everywhere · Fix broken links · Move the page guides/old to start/new';
const MAX_LOOKED_AT = 2_000;

/** An answer to a request in another language; null for one that may be English. Quotations are ignored. */
export function inOwnLanguage(request: string): string | null {
  const text = request.slice(0, MAX_LOOKED_AT).replaceAll(/["“„«「][^"”“»」\n]*["”“»」]|`[^`\n]*`/g, " ");
  const [found] = LANGUAGES.map((language) => ({ ...language, of: language.share(text) })).toSorted(
    (a, b) => b.of - a.of,
  );
  return found && found.of > 0 ? `${found.says} ${EXAMPLES}` : null;
}
