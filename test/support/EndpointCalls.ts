import type { RawEndpoint, RawInput } from "../../src/Providers/Provider.ts"
import type { GoogleOrigin } from "./Discovery.ts"

export interface EndpointCalls {
  readonly endpoint: RawEndpoint
  readonly origin: GoogleOrigin
  readonly method: string
  readonly inputs: ReadonlyArray<unknown>
  readonly official: (rootUrl: string, parameters: ReturnType<typeof officialParameters>) => Promise<unknown>
}

type Row = readonly [endpoint: RawEndpoint, method: string, inputs: ReadonlyArray<unknown>]

/** Calls of endpoints, beside those of the official client, whose functions have the names of the methods. */
export const callsOf = (
  origin: GoogleOrigin,
  client: (rootUrl: string) => object,
  rows: ReadonlyArray<Row>
): ReadonlyArray<EndpointCalls> =>
  rows.map(([endpoint, method, inputs]) => ({
    endpoint,
    origin,
    method,
    inputs,
    official: async (rootUrl, { property, ...parameters }) => {
      const names = method.split(".").slice(1)
      const owner = names.slice(0, -1).reduce((value, name) => Reflect.get(value, name), client(rootUrl))
      const resource = property === undefined ? {} : officialProperty(method, property)
      return Reflect.apply(Reflect.get(owner, names.at(-1) ?? ""), owner, [{ ...parameters, ...resource }])
    }
  }))

const officialProperty = (method: string, property: string) =>
  method.endsWith("getMetadata") ? { name: `properties/${property}/metadata` } : { property: `properties/${property}` }

/** As the official clients take an input: in one object, with mutable lists. */
export const officialParameters = ({ method }: RawEndpoint, { body = {}, path, query }: RawInput) =>
  JSON.parse(JSON.stringify({ ...path, ...query, ...method === "GET" ? {} : { requestBody: body } }))

export const commonQuery = { fields: "*", quotaUser: "user 1&2", prettyPrint: false }
