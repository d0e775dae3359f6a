import { Effect } from "effect"
import type { CallRequest } from "../../src/Api/Calls/CallApi.ts"
import { providers } from "../../src/Registrations.ts"
import { TestServer } from "../support/TestServer.ts"
import { inputs } from "./SandboxOperations.ts"

export type Call = CallRequest

export const nameOf = ({ endpoint = "", tool = endpoint }: Call): string => tool

const withInput = (call: Call): Call => {
  const input = inputs[`${call.provider} ${nameOf(call)}`]
  return input === undefined ? call : { ...call, input }
}

const all = providers.flatMap(({ endpoints, id: provider, tools }) => [
  ...endpoints.map(({ id, writes }) => ({ call: withInput({ provider, endpoint: id }), writes })),
  ...tools.map(({ name, writes }) => ({ call: withInput({ provider, tool: name }), writes }))
])

/** A valid call of every operation that reads. */
export const reads: ReadonlyArray<Call> = all.flatMap(({ call, writes }) => writes ? [] : [call])

export const writes: ReadonlyArray<Call> = all.flatMap(({ call, writes }) => writes ? [call] : [])

/** Every operation as the service tells it to a caller, with a valid call. */
export const listOperations = Effect.fnUntraced(function*(key: string) {
  const reader = (yield* TestServer).api(key)
  const { providers } = yield* reader.providers.list()
  const details = yield* Effect.forEach(providers, ({ id }) => reader.providers.get({ params: { id } }))
  return details.flatMap(({ endpoints, id: provider, tools }) => [
    ...endpoints.map((endpoint) => ({
      ...endpoint,
      name: `${provider} ${endpoint.id}`,
      call: withInput({ provider, endpoint: endpoint.id }),
      tool: undefined
    })),
    ...tools.map((tool) => ({
      ...tool,
      name: `${provider} ${tool.name}`,
      call: withInput({ provider, tool: tool.name }),
      tool
    }))
  ])
})
