import type { RawEndpoint, RawInput } from "../../src/Providers/Provider.ts"
import type { GoogleOrigin } from "./Discovery.ts"

export interface EndpointCalls {
  readonly endpoint: RawEndpoint
  readonly origin: GoogleOrigin
  readonly method: string
  readonly inputs: ReadonlyArray<unknown>
  readonly official: (rootUrl: string, input: RawInput) => Promise<unknown>
}

/** The official clients require mutable lists. */
export const toMutable = (value: unknown) => JSON.parse(JSON.stringify(value ?? {}))

export const commonQuery = { fields: "*", quotaUser: "user 1&2", prettyPrint: false }
