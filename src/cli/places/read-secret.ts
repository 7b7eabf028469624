const END = new RegExp("[\\r\\n]|" + String.fromCharCode(4)); // Enter or Ctrl-D

/** Reads a secret from the terminal without echo, or else all of standard input. Trims white space. */
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

/** In raw mode a terminal passes all keys on, including Enter, backspace and Ctrl-C. */
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
