import { objectOf, refuseTooMany, type StreamRepair, type WireJson, type WireProtocol } from "./wire-repair.ts";

/**
 * Unknown events, content blocks and deltas are skipped, as the provider asks of clients
 * (https://docs.claude.com/en/api/versioning and /en/build-with-claude/streaming, November 2026); a `message_delta`
 * without `usage` is accepted; ids of tool calls are made unique, because the SDK finds the arguments of a call by its
 * id.
 */
export const anthropicWire: WireProtocol = {
  stream: anthropicRepair,
  answer(json) {
    if (!Array.isArray(json["content"])) return json;
    refuseTooMany(json["content"].length);
    const blocks = json["content"].map(objectOf).filter((block) => ANTHROPIC_BLOCKS.has(String(block["type"])));
    const usage = { ...NOT_COUNTED, ...objectOf(json["usage"]) };
    return { ...json, usage, content: blocks.map(createIds()) };
  },
};

const ANTHROPIC_EVENTS = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "ping",
  "error",
]);
// Only blocks that Docent's requests can cause: it uses none of the provider's own tools.
const ANTHROPIC_BLOCKS = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);
const ANTHROPIC_DELTAS = new Set(["text_delta", "input_json_delta", "thinking_delta", "signature_delta"]);

// A negative count is replaced by an estimate, see `credible`.
const NOT_COUNTED = { input_tokens: -1, output_tokens: -1 };

function anthropicRepair(): StreamRepair {
  const skipped = new Set<unknown>();
  const withUniqueId = createIds();
  let blocks = 0;
  return {
    event(json) {
      const { type, index } = json;
      if (!ANTHROPIC_EVENTS.has(String(type))) return null;
      if (type === "content_block_start") {
        const block = objectOf(json["content_block"]);
        refuseTooMany(++blocks);
        if (ANTHROPIC_BLOCKS.has(String(block["type"]))) return { ...json, content_block: withUniqueId(block) };
        skipped.add(index);
        return null;
      }
      if (type === "content_block_delta") {
        return skipped.has(index) || !ANTHROPIC_DELTAS.has(String(objectOf(json["delta"])["type"])) ? null : json;
      }
      if (type === "content_block_stop") return skipped.delete(index) ? null : json;
      if (type === "message_start") {
        const message = objectOf(json["message"]);
        return { ...json, message: { ...message, usage: { ...NOT_COUNTED, ...objectOf(message["usage"]) } } };
      }
      return type === "message_delta" ? { ...json, usage: { output_tokens: -1, ...objectOf(json["usage"]) } } : json;
    },
  };
}

/** Makes ids of tool calls unique by appending a count to repeated ones. */
function createIds(): (block: WireJson) => WireJson {
  const counts = new Map<string, number>();
  return (block) => {
    const { id } = block;
    if (block["type"] !== "tool_use" || typeof id !== "string") return block;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? block : { ...block, id: `${id}_${count}` };
  };
}
