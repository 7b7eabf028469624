import { doneNote, formStart, problemNote, type Refused, selectOptions } from "#kit/pages/post-form.ts";
import { dashboardDocument, type ShownProject } from "#kit/pages/document.ts";
import { listTable } from "#kit/pages/list-table.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import type { LocalServer } from "#models/local-servers.ts";
import { BUILTIN_RULES } from "#models/model.ts";
import { foundModels } from "./found-models.ts";
import { isAtAddress, type OwnProvider, PROVIDER_CHOICES } from "./model-providers.ts";

export interface ModelsPage {
  place: ShownProject;
  csrfToken: string;
  /** The default model of jobs, or the reason why it cannot be used. */
  usual: { name: string } | { problem: string };
  /** The project's own setting; null: the server's default. */
  own: string | null;
  serverDefault: string;
  /** Model names, and `provider/…` if all models of a provider can be used. */
  usable: readonly string[];
  /** Fallback models while a provider is down, in order. */
  fallback: readonly string[];
  providers: readonly OwnProvider[];
  /** Model servers on the server's machine; empty for readers who cannot use them. */
  found: readonly LocalServer[];
  /** Whether the reader may enter addresses, which this server calls. */
  isOwner: boolean;
  notice: string | null;
  refused: Refused | null;
}

/** The model of a project's jobs, and the key that it uses. */
export function modelsPage(page: ModelsPage): Html {
  const { place, notice, refused, usual } = page;
  return dashboardDocument({
    title: `Models · ${place.name}`,
    place,
    reader: "member",
    section: "models",
    body: html`<div class="heading"><h1>Models</h1></div>
      ${doneNote(notice)}
      ${refused !== null && refused.action === "remove" && problemNote(refused.problem)}
      ${"problem" in usual && problemNote(usual.problem)}
      ${
        "name" in usual &&
        html`<p>
          Jobs use <code>${usual.name}</code>${page.own === null && ", the server's default"}.
          ${usual.name === BUILTIN_RULES && "To have the agent write and rewrite pages, add a model."}
        </p>`
      }
      ${foundModels({ slug: place.slug, csrfToken: page.csrfToken, servers: page.found, used: "name" in usual ? usual.name : null })}
      ${chooseForm(page)} ${addForm(page)} ${providers(page)} ${builtinRules(page)}`,
  });
}

const form = ({ place, csrfToken }: ModelsPage, action: string, fields: Html): Html =>
  html`${formStart(`/${place.slug}/models/${action}`, csrfToken)}${fields}</form>`;

function chooseForm(page: ModelsPage): Html {
  const refused = page.refused?.action === "choose" ? page.refused : null;
  return html`<section class="panel">
    <h2>Model for jobs</h2>
    ${problemNote(refused?.problem)}
    ${form(
      page,
      "choose",
      html`<label>Model <input name="model" maxlength="200" value="${refused?.field("model") ?? page.own ?? ""}" placeholder="${page.serverDefault}" list="usable-models" autocomplete="off" spellcheck="false" /><small>For jobs and automations that name none, as provider/model. Leave it empty for the server's default. You can use: ${page.usable.join(", ")}.</small></label>
        <datalist id="usable-models">${page.usable.filter((name) => !name.endsWith("…")).map((name) => html`<option value="${name}"></option>`)}</datalist>
        <div class="send"><small>Docent calls the model once before it saves.</small> <button class="button primary">Save</button></div>`,
    )}
  </section>`;
}

function addForm(page: ModelsPage): Html {
  const refused = page.refused?.action === "add" ? page.refused : null;
  const given = (name: string) => refused?.field(name) ?? "";
  const choices = Object.entries(PROVIDER_CHOICES).filter(([choice]) => page.isOwner || !isAtAddress(choice));
  return html`<section class="panel" id="add">
    <h2>Add model</h2>
    ${problemNote(refused?.problem)}
    ${form(
      page,
      "add",
      html`<div class="row">
          <label class="medium">Provider <select name="provider">${selectOptions(choices, given("provider"))}</select></label>
          <label>Model <input name="model" required maxlength="200" value="${given("model")}" placeholder="Its name at the provider" autocomplete="off" spellcheck="false" /></label>
        </div>
        ${page.isOwner && html`<label class="of-address">Address <input name="address" type="url" maxlength="1000" value="${given("address")}" autocomplete="off" spellcheck="false" />${ADDRESSES}</label>`}
        ${page.isOwner && html`<div class="flag for-images"><input type="checkbox" id="images" name="images" value="yes" ${given("images") === "yes" ? raw("checked") : ""} /><label for="images">The model can see images</label></div>`}
        <label>API key <input name="key" type="password" maxlength="4000" autocomplete="off" spellcheck="false" /><small>Stored encrypted and never shown. Leave it empty for a local model, or to keep the stored key.</small></label>
        <div class="send"><small>Docent calls the model once. If it answers, jobs use it from then on.</small> <button class="button primary">Add model</button></div>`,
    )}
    ${!page.isOwner && html`<p class="hint">Owners of the server can also add Ollama and other providers by their address.</p>`}
  </section>`;
}

/** Examples of addresses for each choice; CSS shows that of the selected one. */
const ADDRESSES = html`<small class="for-other">Where this server reaches it. It usually ends in /v1: https://llm.example.com/v1.</small>
  <small class="for-local">Leave it empty for the usual port on this machine.</small>
  <small class="for-azure">The endpoint of your resource: https://NAME.openai.azure.com. The model is the name of your deployment.</small>
  <small class="for-bedrock">https://bedrock-mantle.REGION.api.aws, with a Bedrock API key.</small>
  <small class="for-vertex">Leave it empty for https://aiplatform.googleapis.com, with a Google Cloud API key.</small>`;

function providers(page: ModelsPage): Html | null {
  if (page.providers.length === 0) return null;
  return html`<section class="block">
    <h2>Providers of this project</h2>
    ${listTable(
      ["Name", "Kind", "Address", "API key"],
      page.providers.map(
        ({ name, kind, address, keyName }) =>
          html`<tr>
            <td>${name}</td>
            <td data-label="Kind">${kind}</td>
            <td data-label="Address">${address === null ? "its own" : html`<code>${address}</code>`}</td>
            <td data-label="API key">${keyName === null ? "none" : html`<code>${keyName}</code>`}</td>
            <td>${form(page, "remove", html`<input type="hidden" name="provider" value="${name}" /><button class="button danger" aria-label="Remove ${name}">Remove</button>`)}</td>
          </tr>`,
      ),
      "Remove",
    )}
  </section>`;
}

function builtinRules({ place, serverDefault, fallback }: ModelsPage): Html {
  return html`<section class="block">
    <h2>Without a model</h2>
    <p class="muted">
      <code>${BUILTIN_RULES}</code> is part of Docent and needs no key. It understands plain requests for
      <a href="/${place.slug}/jobs/chores">chores</a>, such as “Fix the broken links.” or “Replace "Harbor Cloud" with "Harbor Platform".”, carries them out
      the same way each time, and refuses what it does not understand. The server's default is <code>${serverDefault}</code>.
    </p>
    <p class="muted">
      While a provider does not answer, jobs wait for it for up to an hour.
      ${fallback.length > 0 && html`Meanwhile ${fallback.map((name, index) => html`${index > 0 && ", then "}<code>${name}</code>`)} carries on.`}
    </p>
  </section>`;
}
