// Sends readers' feedback without leaving the page. Without this script the form opens a page of its own.
const form = document.querySelector<HTMLFormElement>("form[data-feedback]")!;
const words = form.querySelector<HTMLElement>(".site-feedback-words")!;
const text = words.querySelector("textarea")!;
const count = words.querySelector<HTMLElement>("[data-count]")!;
const status = form.querySelector<HTMLElement>("[role=status]")!;
const votes = [...form.querySelectorAll<HTMLButtonElement>("button[name=helpful]")];
let vote: HTMLButtonElement | null = null;

const showStatus = (message: string | undefined) => {
  status.textContent = message ?? "";
};

const showCount = () => {
  const number = new Intl.NumberFormat(document.documentElement.lang || "en");
  count.textContent = `${number.format(text.value.length)} / ${number.format(text.maxLength)}`;
};

const isOptedOut = () => {
  try {
    return localStorage.getItem("docent-do-not-count") !== null;
  } catch {
    return false;
  }
};

/** Whether it was received; the reader sees a message either way. */
async function send(comment: string, thanks: string | undefined): Promise<boolean> {
  const { failed, notKept } = form.dataset;
  const path = new FormData(form).get("path");
  const body = JSON.stringify({ path, helpful: vote?.value === "yes", comment, automated: navigator.webdriver });
  try {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(form.action, { method: "POST", headers, body });
    const answer = (await response.json()) as { kept?: boolean; error?: string };
    showStatus(!response.ok ? (answer.error ?? failed) : answer.kept ? thanks : notKept);
    return response.ok;
  } catch {
    showStatus(failed);
    return false;
  }
}

async function sendVote(button: HTMLButtonElement): Promise<void> {
  if (button === vote) return text.focus();
  vote = button;
  for (const each of votes) each.setAttribute("aria-pressed", String(each === vote));
  // Opened at once, on the reader's own action: nothing moves when the response arrives.
  form.dataset["open"] = "";
  words.hidden = false;
  showCount();
  showStatus("");
  if (!(await send("", form.dataset["thanks"]))) vote = null;
}

async function sendWords(): Promise<void> {
  const button = words.querySelector("button")!;
  if (text.value.trim() === "" || button.disabled) return text.focus();
  button.disabled = true;
  // Hidden at once: nothing moves when the response arrives.
  words.hidden = true;
  showStatus("");
  status.tabIndex = -1;
  status.focus();
  if (await send(text.value, form.dataset["sent"])) text.value = "";
  else words.hidden = false;
  button.disabled = false;
}

text.addEventListener("input", showCount);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (isOptedOut()) return showStatus(form.dataset["optedOut"]);
  const button = event.submitter as HTMLButtonElement | null;
  void (button !== null && votes.includes(button) ? sendVote(button) : sendWords());
});
