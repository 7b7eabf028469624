import { formStart } from "#kit/pages/post-form.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { LOCAL_SERVERS, type LocalServer } from "#models/local-servers.ts";

const SHOWN = 50;

/**
 * Model servers on the server's machine, each with a button that tests a model and selects it for jobs. Null for none.
 */
export function foundModels(page: {
  slug: string;
  csrfToken: string;
  servers: readonly LocalServer[];
  /** The current model of jobs; null if the page does not show it elsewhere. */
  used: string | null;
}): Html | null {
  const { slug, servers } = page;
  if (servers.length === 0) return null;
  return html`<section class="panel" id="found">
    <h2>Found on this machine</h2>
    ${page.used === null && html`<p>With a language model, the agent writes and rewrites pages. Without one, it carries out <a href="/${slug}/jobs/chores">chores</a>.</p>`}
    ${servers.map((server) =>
      server.models.length === 0
        ? html`<p><b>${LOCAL_SERVERS[server.name].label}</b> is running and has no model yet. ${NO_MODEL[server.name]}</p>`
        : html`${formStart(`/${slug}/models/add`, page.csrfToken)}
            <input type="hidden" name="provider" value="${server.name}" />
            <input type="hidden" name="address" value="${server.address}" />
            <div class="row"><label>${LOCAL_SERVERS[server.name].label} ${modelField(server, page.used)}</label>
            <button class="button">Use model</button></div>
            <div class="flag"><input type="checkbox" id="images-${server.name}" name="images" value="yes" /><label for="images-${server.name}">The model can see images</label></div>
          </form>`,
    )}
    <p class="hint">
      Docent calls the model once; if it answers, jobs use it from then on.
      ${servers.some(({ name }) => name === "ollama") && OLLAMA_CONTEXT}
    </p>
  </section>`;
}

const NO_MODEL = {
  ollama: html`Get one with <code>ollama pull qwen3:8b</code>, and load this page again.`,
  "llama-cpp": html`Start it with a model.`,
  "lm-studio": html`Download one there, and load this page again.`,
};

// docs.ollama.com/context-length, November 2026: 4k below 24 GiB of video memory. Longer prompts are truncated without
// an error.
const OLLAMA_CONTEXT = html`Ollama reads only 4,096 tokens at once on most machines and cuts off the rest. Jobs need more: start it with
  <code>OLLAMA_CONTEXT_LENGTH=32000 ollama serve</code>.`;

function modelField({ name, models }: LocalServer, used: string | null): Html {
  return html`<select name="model">
    ${models.slice(0, SHOWN).map((model) => {
      const isUsed = used === `${name}/${model}`;
      return html`<option value="${model}"${isUsed && html` selected`}>${model}${isUsed && " (in use)"}</option>`;
    })}
  </select>${models.length > SHOWN && html` <small>${models.length - SHOWN} more: add them by name below.</small>`}`;
}
