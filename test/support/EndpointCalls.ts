import type { RawEndpoint, RawInput } from "../../src/Providers/Provider.ts"
import type { GoogleOrigin } from "./Discovery.ts"

/** Ways to call one endpoint, and how Google's own client makes the same calls. */
export interface EndpointCalls {
  readonly endpoint: RawEndpoint
  readonly origin: GoogleOrigin
  /** Of the discovery document's method. */
  readonly method: string
  readonly inputs: ReadonlyArray<unknown>
  readonly official: (rootUrl: string, input: RawInput) => Promise<unknown>
}

/** The official clients' types want lists that could be changed. */
export const plain = (value: unknown) => JSON.parse(JSON.stringify(value ?? {}))

/** The query parameters that every method has. */
export const everywhere = { fields: "*", quotaUser: "user 1&2", prettyPrint: false }
