import type { RawEndpoint, RawInput } from "../../src/Providers/Provider.ts"
import type { GoogleOrigin } from "./Discovery.ts"

export interface EndpointCalls {
  readonly endpoint: RawEndpoint
  readonly origin: GoogleOrigin
  readonly method: string
  readonly inputs: ReadonlyArray<unknown>
  readonly official: (rootUrl: string, parameters: ReturnType<typeof officialParameters>) => Promise<unknown>
}

/** As the official clients take an input: in one object, with mutable lists. */
export const officialParameters = ({ method }: RawEndpoint, { body = {}, path, query }: RawInput) =>
  JSON.parse(JSON.stringify({ ...path, ...query, ...method === "GET" ? {} : { requestBody: body } }))

export const commonQuery = { fields: "*", quotaUser: "user 1&2", prettyPrint: false }
