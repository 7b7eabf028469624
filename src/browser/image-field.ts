// Images of an instruction: chosen, pasted or dropped, shown before they are sent, and made smaller where they are too large.
(() => {
  const TYPES = /^image\/(?:png|jpeg|webp|gif)$/;
  // Models see no more of an image than this.
  const MAX_SIDE = 2_048;
  const megabytes = (bytes: number) => `${Number((bytes / 1024 / 1024).toFixed(1))} MB`;

  async function madeSmaller(file: File, maxBytes: number): Promise<File> {
    if (file.size <= maxBytes || file.type === "image/gif") return file;
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
    return blob === null ? file : new File([blob], file.name.replace(/\.\w+$/, ".jpg"), { type: blob.type });
  }

  for (const field of document.querySelectorAll<HTMLElement>("[data-images]")) {
    const form = field.closest("form");
    const input = field.querySelector<HTMLInputElement>("input[type=file]");
    const list = field.querySelector("ul");
    const note = field.querySelector<HTMLElement>(".problem");
    if (!form || !input || !list || !note) continue;
    const limit = (name: string) => Number(field.dataset[name]);
    let files: File[] = [];
    field.classList.add("enhanced");

    const say = (problem: string) => {
      note.textContent = problem;
      note.hidden = problem === "";
    };

    const show = () => {
      const chosen = new DataTransfer();
      for (const file of files) chosen.items.add(file);
      input.files = chosen.files;
      list.hidden = files.length === 0;
      list.replaceChildren(...files.map(item));
    };

    function item(file: File): HTMLLIElement {
      const image = document.createElement("img");
      image.alt = file.name;
      const reader = new FileReader();
      reader.addEventListener("load", () => (image.src = reader.result as string));
      reader.readAsDataURL(file);
      const remove = document.createElement("button");
      remove.type = "button";
      remove.textContent = "×";
      remove.ariaLabel = `Remove ${file.name}`;
      remove.addEventListener("click", () => {
        files = files.filter((other) => other !== file);
        say("");
        show();
        input!.focus();
      });
      const entry = document.createElement("li");
      entry.append(image, remove);
      return entry;
    }

    async function add(given: Iterable<File>): Promise<void> {
      const problems: string[] = [];
      for (const each of given) {
        if (!TYPES.test(each.type)) {
          problems.push(`${each.name} is not a PNG, JPEG, WebP or GIF image.`);
          continue;
        }
        const file = await madeSmaller(each, limit("maxImageBytes")).catch(() => each);
        const all = files.reduce((sum, { size }) => sum + size, file.size);
        if (files.length >= limit("maxImages")) problems.push(`At most ${limit("maxImages")} images can be added.`);
        else if (file.size > limit("maxImageBytes"))
          problems.push(`${file.name} is larger than ${megabytes(limit("maxImageBytes"))}.`);
        else if (all > limit("maxAllBytes"))
          problems.push(`Images may have ${megabytes(limit("maxAllBytes"))} together. ${file.name} is left out.`);
        else files = [...files, file];
      }
      say([...new Set(problems)].join(" "));
      show();
    }

    input.addEventListener("change", () => void add([...(input.files ?? [])]));
    form.addEventListener("paste", (event) => {
      const pasted = [...(event.clipboardData?.files ?? [])];
      if (pasted.length === 0) return;
      event.preventDefault();
      void add(pasted);
    });
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    form.addEventListener("dragover", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      form.classList.add("dropping");
    });
    form.addEventListener("dragleave", (event) => {
      if (!form.contains(event.relatedTarget as Node | null)) form.classList.remove("dropping");
    });
    form.addEventListener("drop", (event) => {
      form.classList.remove("dropping");
      if (!hasFiles(event)) return;
      event.preventDefault();
      void add([...(event.dataTransfer?.files ?? [])]);
    });
  }
})();
