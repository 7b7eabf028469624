import { expect, it } from "vitest";
import { writtenCalls } from "./written-calls.ts";

const TOOLS = ["read_file", "finish"];
const READ = '{"name":"read_file","arguments":{"path":"a.md"}}';
const CALL = { id: "written_1", name: "read_file", input: { path: "a.md" }, invalid: null };

it.each([
  ["a block", `<tool_call>${READ}</tool_call>`],
  ["a block after words", `I read it.\n<tool_call>\n${READ}\n</tool_call>`],
  ["a block without its end", `<tool_call>${READ}`],
  ["a fenced text", `\`\`\`json\n${READ}\n\`\`\``],
  ["JSON alone", READ],
  ["a list", `[${READ}]`],
  ["the form of OpenAI", `{"function":{"name":"read_file","arguments":"{\\"path\\":\\"a.md\\"}"}}`],
  ["the form of Llama", '{"name":"read_file","parameters":{"path":"a.md"}}'],
  ["the form of Mistral", `[TOOL_CALLS][${READ}]`],
  ["the newer form of Mistral", '[TOOL_CALLS]read_file[ARGS]{"path":"a.md"}'],
  ["a tag of Llama", `<|python_tag|>${READ}`],
  ["a tag with the name", '<function=read_file>{"path":"a.md"}</function>'],
  [
    "the form of gpt-oss",
    '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path":"a.md"}<|call|>',
  ],
])("reads a call in %s", (_what, text) => expect(writtenCalls(text, TOOLS)).toEqual([CALL]));

it("reads several blocks as several calls", () => {
  const text = `<tool_call>${READ}</tool_call><tool_call>${READ}</tool_call>`;
  expect(writtenCalls(text, TOOLS)).toEqual([CALL, { ...CALL, id: "written_2" }]);
});

it.each([
  ["JSON that breaks off", '<tool_call>{"name":"read_file","argu'],
  ["an unknown tool", '<tool_call>{"name":"bash","arguments":{}}</tool_call>'],
  [
    "tags for the arguments",
    '<function_calls><invoke name="read_file"><parameter name="path">a.md</parameter></invoke></function_calls>',
  ],
  ["tags in a block", "<tool_call><function=read_file><parameter=path>a.md</parameter></function></tool_call>"],
  ["the syntax of Python", "read_file(path='a.md')"],
  ["a fence for it", "```tool_code\nread_file(path='a.md')\n```"],
])("a block with %s is an invalid call", (_what, text) => {
  expect(writtenCalls(text, TOOLS)).toMatchObject([
    { input: null, invalid: expect.stringContaining("cannot be read") as string },
  ]);
});

it.each([
  ["words", "I read the file."],
  ["words about a call", `Send ${READ} to the server.`],
  ["JSON of something else", '{"name":"bash","arguments":{}}'],
  ["a page with a fenced example", `# Example\n\n\`\`\`json\n${READ}\n\`\`\`\n`],
  ["words that begin with a name", "finish (the tool) comes last."],
  ["a tag within words", "Some models write <|python_tag|> before a call."],
  ["nothing", ""],
])("does not read %s as a call", (_what, text) => expect(writtenCalls(text, TOOLS)).toEqual([]));
