import type { Effect } from "effect"
import type { Provider, RawEndpoint, SmartTool } from "../../../src/Providers/Provider.ts"
import type { ProviderClient } from "../../../src/Providers/ProviderClient.ts"
import { providers } from "../../../src/Registrations.ts"
import type { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { inputsOfProviders } from "./Examples.ts"

interface Common {
  readonly name: string
  readonly provider: Provider
  /** Accepted inputs. */
  readonly inputs: ReadonlyArray<object>
}

export interface EndpointOperation extends Common {
  readonly endpoint: RawEndpoint
}

export interface ToolOperation extends Common {
  readonly tool: SmartTool
}

export type Operation = EndpointOperation | ToolOperation

/** Returns the check of an operation, or `undefined` if there is nothing to check of it. */
export interface Check {
  readonly says: string
  /** Why it is skipped. */
  readonly absence?: string
  readonly of: (operation: Operation) => Effect.Effect<void, unknown, ProviderClient | LoopbackUpstream> | undefined
}

/** The catalogue of the service. */
export const operations: ReadonlyArray<Operation> = providers.flatMap((provider) => {
  const commonOf = (id: string) => ({
    name: `${provider.id} ${id}`,
    provider,
    inputs: inputsOfProviders[provider.id]?.[id] ?? []
  })
  return [
    ...provider.endpoints.map((endpoint) => ({ ...commonOf(endpoint.id), endpoint })),
    ...provider.tools.map((tool) => ({ ...commonOf(tool.name), tool }))
  ]
})
