const END = new RegExp("[\\r\\n]|" + String.fromCharCode(4)); // Enter, or the end of what is typed (Ctrl-D)

/** What the person who sits there types, unseen, else all of standard input; without white space around. */
export async function readSecret(
  io: { readInput(): Promise<string>; signal: AbortSignal },
  question: string,
): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return (await io.readInput()).trim();
  stderr.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  try {
    return await typed(stdin, io.signal);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write("\n");
  }
}

/** A terminal in raw mode sends keys as they are: also Enter, backspace and Ctrl-C. */
function typed(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const read = (chunk: string) => {
      if (chunk.includes("\u0003")) return void process.kill(process.pid, "SIGINT");
      text = chunk === "\u007f" ? text.slice(0, -1) : text + chunk;
      if (!END.test(chunk)) return;
      stdin.off("data", read);
      resolve(text.split(END, 1)[0]!.trim());
    };
    stdin.on("data", read);
    signal.addEventListener(
      "abort",
      () => {
        stdin.off("data", read);
        reject(new Error("interrupted"));
      },
      { once: true },
    );
  });
}
