import { expect, it } from "vitest";
import { writtenCalls } from "./written-calls.ts";

const TOOLS = ["read_file", "finish"];
const READ = '{"name":"read_file","arguments":{"path":"a.md"}}';
const FINISH = '{"name":"finish","arguments":{}}';
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
  [
    "the form of gpt-oss, after its thoughts",
    '<|channel|>analysis<|message|>I read it.<|end|><|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path":"a.md"}<|call|>',
  ],
  [
    "the form of gpt-oss, with its start",
    '<|start|>assistant<|channel|>commentary to=functions.read_file<|message|>{"path":"a.md"}',
  ],
  [
    "the form of gpt-oss, with the receiver first",
    '<|start|>assistant to=functions.read_file<|channel|>commentary json<|message|>{"path":"a.md"}<|call|>',
  ],
  ["the form of Mistral after words", 'I read it.[TOOL_CALLS]read_file[ARGS]{"path":"a.md"}'],
  ["a fenced block", `\`\`\`xml\n<tool_call>${READ}</tool_call>\n\`\`\``],
  ["a block after an example", `As in \`<tool_call>${FINISH}</tool_call>\`:\n<tool_call>${READ}</tool_call>`],
])("reads a call in %s", (_what, text) => expect(writtenCalls(text, TOOLS)).toEqual([CALL]));

it("reads a block whose argument contains a tag", () => {
  const text = `<tool_call>${READ.replace("a.md", "<tool_call>.md")}</tool_call>`;
  expect(writtenCalls(text, TOOLS)).toEqual([{ ...CALL, input: { path: "<tool_call>.md" } }]);
});

it("reads blocks of two forms", () => {
  const text = `[TOOL_CALLS][${READ}]\n<tool_call>${READ}</tool_call>`;
  expect(writtenCalls(text, TOOLS)).toEqual([CALL, { ...CALL, id: "written_2" }]);
});

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
  ["tags without those around them", '<invoke name="read_file"><parameter name="path">a.md</parameter></invoke>'],
  [
    "an example in its arguments",
    `<tool_call><function=read_file><parameter=path>a <tool_call>${FINISH}</tool_call></parameter></function></tool_call>`,
  ],
  ["tags in a block", "<tool_call><function=read_file><parameter=path>a.md</parameter></function></tool_call>"],
  ["the syntax of Python", "read_file(path='a.md')"],
  ["the syntax of Python, printed", "print(read_file(path='a.md'))"],
  ["the syntax of Python below words", "I read the file.\n\nread_file(path='a.md')"],
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
  ["a fenced block below words", `Models write this:\n\n\`\`\`\n<tool_call>${READ}</tool_call>\n\`\`\`\n`],
  [
    "two fenced blocks",
    `\`\`\`\n<tool_call>${READ}</tool_call>\n\`\`\`\nand\n\`\`\`\n<tool_call>${READ}</tool_call>\n\`\`\``,
  ],
  ["a block in a code span", `Models write \`<tool_call>${READ}</tool_call>\` or \`\`[TOOL_CALLS][${READ}]\`\`.`],
  ["a block in a quotation", `The page says:\n\n> <tool_call>${READ}</tool_call>`],
  ["an indented block", `The page says:\n\n    <tool_call>${READ}</tool_call>`],
  ["a block within a sentence", `Models write <tool_call>${READ}</tool_call> into their text.`],
  ["a block of another tool within a sentence", 'Models write <tool_call>{"name":"bash"}</tool_call> into their text.'],
  ["an indented line of Python", "The page says:\n\n    read_file(path='a.md')"],
  ["a line of Python in a fence", "The page says:\n\n```python\nread_file(path='a.md')\n```"],
  ["a line of Python above words", "read_file(path='a.md')\n\nThis line was in the page."],
  ["a tag with a name within words", 'Qwen writes <function=read_file> or <invoke name="read_file"> there.'],
  ["a tag within words", "Some models write <|python_tag|> before a call."],
  ["nothing", ""],
])("does not read %s as a call", (_what, text) => expect(writtenCalls(text, TOOLS)).toEqual([]));
