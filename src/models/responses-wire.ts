import { ModelCallError } from "./failure.ts";
import { objectOf, type StreamRepair, type WireJson, type WireProtocol } from "./wire-repair.ts";

// Only items that Docent's requests can cause: it uses none of the provider's own tools. Some gateways add them.
const ITEMS = new Set(["message", "function_call", "reasoning"]);

/**
 * OpenAI's Responses: other items are skipped, because the SDK would hand a search that the provider ran itself to the
 * agent as a call. So are citations, whose form differs between providers (xAI's have no title).
 */
export const responsesWire: WireProtocol = {
  stream: responsesRepair,
  answer(json) {
    refuseChat(json);
    if (!Array.isArray(json["output"])) return json;
    return { ...json, output: json["output"].map(objectOf).filter(isKnown).map(withoutCitations) };
  },
};

function responsesRepair(): StreamRepair {
  const skipped = new Set<unknown>();
  return {
    event(json) {
      refuseChat(json);
      const { type, output_index: index } = json;
      if (type === "response.output_text.annotation.added") return null;
      if (type === "response.output_item.added" && !isKnown(objectOf(json["item"]))) skipped.add(index);
      return index !== undefined && skipped.has(index) ? null : json;
    },
  };
}

const isKnown = (item: WireJson) => ITEMS.has(String(item["type"]));

function withoutCitations(item: WireJson): WireJson {
  if (!Array.isArray(item["content"])) return item;
  const content = item["content"].map(objectOf);
  return { ...item, content: content.map((part) => ("annotations" in part ? { ...part, annotations: [] } : part)) };
}

function refuseChat(json: WireJson): void {
  if (!Array.isArray(json["choices"])) return;
  const message =
    'the server speaks Chat Completions, not Responses. Set "kind": "openai-compatible" for this provider';
  throw new ModelCallError("model_error", message, { retryable: false });
}
