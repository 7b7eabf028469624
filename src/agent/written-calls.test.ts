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
])("reads a call in %s", (_what, text) => expect(writtenCalls(text, TOOLS)).toEqual([CALL]));

it("reads several blocks as several calls", () => {
  const text = `<tool_call>${READ}</tool_call><tool_call>${READ}</tool_call>`;
  expect(writtenCalls(text, TOOLS)).toEqual([CALL, { ...CALL, id: "written_2" }]);
});

it.each([
  ["JSON that breaks off", '<tool_call>{"name":"read_file","argu'],
  ["an unknown tool", '<tool_call>{"name":"bash","arguments":{}}</tool_call>'],
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
  ["nothing", ""],
])("does not read %s as a call", (_what, text) => expect(writtenCalls(text, TOOLS)).toEqual([]));
