import { expect, it } from "vitest";
import { inOwnLanguage } from "./other-languages.ts";

it.each([
  ["Ersetze „Harbor Cloud“ durch „Harbor Platform“ auf allen Seiten bitte", "verstehen nur Englisch"],
  ["Remplace « Harbor Cloud » par « Harbor Platform » dans toutes les pages", "que l’anglais"],
  ["Corrige los enlaces rotos", "solo entienden inglés"],
  ["Substitua “Harbor” por “Porto” em todas as páginas", "só entendem inglês"],
  ["Sostituisci “Harbor” con “Porto” in tutte le pagine", "solo l’inglese"],
  ["リンク切れを修正してください", "英語だけ"],
  ["请把 Harbor Cloud 替换为 Harbor Platform", "只能理解英语"],
  ["깨진 링크를 고쳐 주세요", "영어만"],
  ["Исправь битые ссылки", "только английский"],
  ["أصلح الروابط المعطلة", "الإنجليزية فقط"],
  ["टूटे हुए लिंक ठीक करें", "केवल अंग्रेज़ी"],
  ["ভাঙা লিঙ্কগুলি ঠিক করুন", "শুধু ইংরেজি"],
  ["Perbaiki tautan rusak di semua halaman", "hanya memahami bahasa Inggris"],
  ["Bozuk bağlantıları düzelt", "yalnızca İngilizce"],
  ["Herstel alle kapotte links op de pagina", "alleen Engels"],
])("%s is answered in its language", (request, words) => {
  expect(inOwnLanguage(request)).toContain(words);
  expect(inOwnLanguage(request)).toContain("Fix broken links");
});

it.each([
  "Improve the introduction of the quickstart",
  'Replace "Größe der Seite und das Bild" with "x" in bold',
  "Rename the page “Исправь битые ссылки” somehow",
  "Add the tag Die Zeit",
  "Fix all links on the page",
  "thanks, looks good!",
])("%s may be English", (request) => expect(inOwnLanguage(request)).toBeNull());
