import type { Effect } from "effect"
import type { Provider, RawEndpoint, SmartTool } from "../../../src/Providers/Provider.ts"
import type { ProviderClient } from "../../../src/Providers/ProviderClient.ts"
import { providers } from "../../../src/Registrations.ts"
import type { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { ga4Examples } from "../Ga4/Examples.ts"
import { gdocsExamples } from "../Gdocs/Examples.ts"
import { gscExamples } from "../Gsc/Examples.ts"
import { gsheetsExamples } from "../Gsheets/Examples.ts"
import { sitesearchExamples } from "../Sitesearch/Examples.ts"
import type { Examples } from "./Examples.ts"

interface Common {
  readonly name: string
  readonly provider: Provider
  readonly examples: Examples
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

const examplesOf: Readonly<Record<string, Examples>> = {
  gsc: gscExamples,
  ga4: ga4Examples,
  sitesearch: sitesearchExamples,
  gsheets: gsheetsExamples,
  gdocs: gdocsExamples
}

/** The catalogue of the service. */
export const operations: ReadonlyArray<Operation> = providers.flatMap((provider) => {
  const examples = examplesOf[provider.id] ?? { inputs: {} }
  return [
    ...provider.endpoints.map((endpoint) => ({ name: `${provider.id} ${endpoint.id}`, provider, examples, endpoint })),
    ...provider.tools.map((tool) => ({ name: `${provider.id} ${tool.name}`, provider, examples, tool }))
  ]
})
