import { SAMPLE_LANGUAGES, type SampleLanguage, sampleLanguage } from "./sample-languages.ts";
import { csharpHttpclient } from "@scalar/snippetz/plugins/csharp/httpclient";
import { goNative } from "@scalar/snippetz/plugins/go/native";
import { javaOkhttp } from "@scalar/snippetz/plugins/java/okhttp";
import { jsFetch } from "@scalar/snippetz/plugins/js/fetch";
import { kotlinOkhttp } from "@scalar/snippetz/plugins/kotlin/okhttp";
import { phpCurl } from "@scalar/snippetz/plugins/php/curl";
import { powershellRestmethod } from "@scalar/snippetz/plugins/powershell/restmethod";
import { pythonRequests } from "@scalar/snippetz/plugins/python/requests";
import { rubyNative } from "@scalar/snippetz/plugins/ruby/native";
import { rustReqwest } from "@scalar/snippetz/plugins/rust/reqwest";
import { shellCurl } from "@scalar/snippetz/plugins/shell/curl";
import { swiftNsurlsession } from "@scalar/snippetz/plugins/swift/nsurlsession";
import { isJsonObject, WrittenNumber, type Json } from "#docs/json-document.ts";
import type { SampleRequest } from "./sample-request.ts";
import { scalarText } from "./written-number.ts";

export interface CodeSample {
  title: string;
  /** The language as a code fence names it. */
  language: string;
  code: string;
}

type Generator = { generate: typeof shellCurl.generate };

/** The printers return an expression. These wrap it into programs that run unchanged and print the response. */
const printingFetch: Generator = {
  generate: (request) =>
    `const response = await ${jsFetch.generate(request).trim()};\nconsole.log(await response.text());`,
};
const printingRequests: Generator = {
  generate: (request) =>
    `import requests  # pip install requests\n\nresponse = ${pythonRequests.generate(request).trim()}\nprint(response.text)`,
};

const LANGUAGES: Record<SampleLanguage, { title: string; language: string; plugin: Generator }> = {
  bash: { title: "cURL", language: "bash", plugin: shellCurl },
  javascript: { title: "JavaScript", language: "javascript", plugin: printingFetch },
  python: { title: "Python", language: "python", plugin: printingRequests },
  go: { title: "Go", language: "go", plugin: goNative },
  php: { title: "PHP", language: "php", plugin: phpCurl },
  ruby: { title: "Ruby", language: "ruby", plugin: rubyNative },
  java: { title: "Java", language: "java", plugin: javaOkhttp },
  csharp: { title: "C#", language: "csharp", plugin: csharpHttpclient },
  rust: { title: "Rust", language: "rust", plugin: rustReqwest },
  kotlin: { title: "Kotlin", language: "kotlin", plugin: kotlinOkhttp },
  swift: { title: "Swift", language: "swift", plugin: swiftNsurlsession },
  powershell: { title: "PowerShell", language: "powershell", plugin: powershellRestmethod },
};
const DEFAULT_COUNT = 10;

/** The request as code in each language. `languages` is what the project configures, in its order. */
export function codeSamples(request: SampleRequest, languages: readonly string[]): CodeSample[] {
  const requested = new Set(languages.map(sampleLanguage).filter((name) => name !== null));
  const names = requested.size > 0 ? [...requested] : SAMPLE_LANGUAGES.slice(0, DEFAULT_COUNT);
  return names.flatMap((name) => {
    const entry = LANGUAGES[name];
    const code = generate(entry.plugin, request);
    return code === null ? [] : [{ title: entry.title, language: entry.language, code }];
  });
}

function generate({ generate: print }: Generator, { method, url, headers, body }: SampleRequest): string | null {
  const numbers: WrittenNumber[] = [];
  const isScript = print === printingFetch.generate;
  try {
    const text = print({
      method,
      url,
      headers: [...headers],
      ...(body === null ? {} : { postData: postDataOf(body, { numbers, isScript }) }),
    });
    return text.trim() === "" ? null : withNumbers(text, numbers);
  } catch {
    return null; // an address or a body that this language's printer cannot read
  }
}

/** Placeholder for a number that a printer would print as a double: a word that nobody writes between quotation marks. */
const numberMark = (index: number | string) => `docent-number-${index}-`;
const MARKED = new RegExp(`\\\\?["']${numberMark("(\\d+)")}\\\\?["']`, "g");

function withNumbers(code: string, numbers: readonly WrittenNumber[]): string {
  if (numbers.length === 0) return code;
  return code.replaceAll(MARKED, (mark, index: string) => String(numbers[Number(index)] ?? mark));
}

function postDataOf(
  { type, value }: NonNullable<SampleRequest["body"]>,
  { numbers, isScript }: { numbers: WrittenNumber[]; isScript: boolean },
) {
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type);
  if (isForm && isJsonObject(value)) {
    const params = Object.entries(value).map(([name, each]) => ({
      name,
      value: scalarText(each) ?? JSON.stringify(each),
    }));
    return { mimeType: type, params };
  }
  if (typeof value === "string" && !/json/i.test(type)) return { mimeType: type, text: value };
  // A number in a script is a double: a number that does not fit is sent as text.
  if (isScript && holdsLongNumber(value)) return { mimeType: "text/plain", text: JSON.stringify(value) };
  return { mimeType: type, text: JSON.stringify(withMarks(value)) };

  function withMarks(each: Json): Json {
    if (each instanceof WrittenNumber) return numberMark(numbers.push(each) - 1);
    if (Array.isArray(each)) return (each as readonly Json[]).map(withMarks);
    if (!isJsonObject(each)) return each;
    return Object.fromEntries(Object.entries(each).map(([name, child]) => [name, withMarks(child)]));
  }
}

function holdsLongNumber(value: Json): boolean {
  if (value instanceof WrittenNumber) return Number.isInteger(value.value) && !Number.isSafeInteger(value.value);
  return typeof value === "object" && value !== null && Object.values(value).some(holdsLongNumber);
}
