// Asks the browser for a passkey when a form with `data-passkey` is submitted: its value is the address of the server's
// options.
(() => {
  interface Asked {
    attempt: string;
    options: PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON;
  }

  interface Refusal {
    problem: string;
  }
  class Refused extends Error {}

  async function answer({ options }: Asked): Promise<Credential | null> {
    // Only the options for creating a passkey name a user.
    return "user" in options
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
  }

  async function fill(form: HTMLFormElement): Promise<void> {
    const fields = new URLSearchParams();
    const password = form.querySelector<HTMLInputElement>("[name=password]");
    if (password) fields.set("password", password.value);
    const response = await fetch(form.dataset["passkey"]!, { method: "POST", body: fields });
    if (response.status === 400 || response.status === 429)
      throw new Refused(((await response.json()) as Refusal).problem);
    if (!response.ok) throw new Error("the server gave no options");
    if (password) password.value = "";
    const given = (await response.json()) as Asked;
    const credential = (await answer(given)) as PublicKeyCredential | null;
    if (credential === null) throw new Error("no passkey");
    const set = (name: string, value: string) => {
      form.querySelector<HTMLInputElement>(`[name=${name}]`)!.value = value;
    };
    set("attempt", given.attempt);
    set("credential", JSON.stringify(credential.toJSON()));
  }

  const isThere = "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential;
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) {
    if (!isThere) continue;
    form.hidden = false;
    const missing = form.parentElement?.querySelector<HTMLElement>("[data-no-passkeys]");
    if (missing) missing.hidden = true;
    const problem = form.querySelector<HTMLElement>("[role=alert]")!;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      problem.hidden = true;
      fill(form).then(
        () => form.submit(),
        (error: unknown) => {
          const isKnown = error instanceof Error && error.name === "InvalidStateError";
          problem.textContent =
            error instanceof Refused
              ? error.message
              : isKnown
                ? "This device has a passkey for your account already."
                : "No passkey was used: it was cancelled, or this device has none for this server.";
          problem.hidden = false;
        },
      );
    });
  }
})();
