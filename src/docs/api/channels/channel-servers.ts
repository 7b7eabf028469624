import { type Json, type JsonObject, listIn } from "#docs/json-document.ts";
import { CHARACTERS, SHOWN } from "#docs/api/bounds.ts";
import { textOf } from "#docs/api/document-text.ts";
import { aboutOf } from "#docs/api/external-docs.ts";
import { follow } from "#docs/api/references.ts";
import { securityOf, type SecurityChoice } from "#docs/api/security.ts";
import { type ApiServer, fillServerVariables, variablesOf } from "#docs/api/servers.ts";
import { type BindingView, bindingsOf } from "./channel-messages.ts";

export interface ChannelServer {
  name: string;
  url: string;
  protocol: string;
  protocolVersion: string | null;
  bindings: readonly BindingView[];
  description: string | null;
  variables: ApiServer["variables"];
  security: readonly SecurityChoice[];
}

/** The servers of a channel: those that it names, else all. 2.x names them, 3.0 references them. */
export function serversOfChannel(root: JsonObject, channel: JsonObject): ChannelServer[] {
  return writtenServers(root, channel).map(([name, server]) => serverOf(root, name, server));
}

/** The protocols of a channel's servers, without reading the rest of each server. */
export function protocolsOfChannel(root: JsonObject, channel: JsonObject): string[] {
  return writtenServers(root, channel).map(([, server]) => protocolOf(server));
}

function writtenServers(root: JsonObject, channel: JsonObject): [name: string, server: JsonObject][] {
  const all = firstServers(root);
  const named = listIn(channel["servers"]).slice(0, SHOWN.servers);
  const names = new Set(named.filter((name) => typeof name === "string"));
  const targets = new Set(named.flatMap((each) => follow(root, each)?.target ?? []));
  return all.flatMap(([name, written]): [string, JsonObject][] => {
    const found = follow(root, written);
    if (found === null || (named.length > 0 && !names.has(name) && !targets.has(found.target))) return [];
    return [[name, found.object]];
  });
}

/** Cached per document: every channel needs the list, and a document may have as many servers as channels. */
const known = new WeakMap<JsonObject, readonly [string, Json][]>();

function firstServers(root: JsonObject): readonly [string, Json][] {
  let servers = known.get(root);
  if (servers === undefined) {
    servers = Object.entries(follow(root, root["servers"])?.object ?? {}).slice(0, SHOWN.servers);
    known.set(root, servers);
  }
  return servers;
}

function protocolOf(server: JsonObject): string {
  return textOf(server["protocol"], CHARACTERS.name) ?? "";
}

function serverOf(root: JsonObject, name: string, server: JsonObject): ChannelServer {
  const protocol = protocolOf(server);
  const host = textOf(server["host"], CHARACTERS.url);
  const path = textOf(server["pathname"], CHARACTERS.url) ?? "";
  const written = host === null ? (textOf(server["url"], CHARACTERS.url) ?? "") : `${host}${path}`;
  const isWhole = /^[a-z][a-z0-9+.-]{0,30}:\/\//i.test(written);
  const url = isWhole || protocol === "" || written === "" ? written : `${protocol}://${written}`;
  return {
    name: name.slice(0, CHARACTERS.name),
    url: fillServerVariables(root, url, server["variables"]).replace(/\/{1,20}$/, ""),
    protocol,
    protocolVersion: textOf(server["protocolVersion"], CHARACTERS.name),
    bindings: bindingsOf(root, server["bindings"]),
    description:
      [textOf(server["title"], CHARACTERS.summary), aboutOf(root, server)]
        .filter((text) => text !== null)
        .join("\n\n") || null,
    variables: variablesOf(root, server["variables"]),
    security: securityOf(root, server["security"]),
  };
}
