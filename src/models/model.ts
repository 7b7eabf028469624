import type { SharedV4ProviderOptions } from "@ai-sdk/provider";

/** Options for one provider's package, passed through untouched. */
export type ProviderOptions = SharedV4ProviderOptions;
