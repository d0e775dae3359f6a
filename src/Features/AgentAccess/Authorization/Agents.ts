import { Effect, Option, Schema } from "effect"
import { ClientDocuments } from "./ClientDocuments.ts"
import { OAuthClients } from "./OAuthClients.ts"

export interface Agent {
  readonly clientId: string
  readonly name: string
  /** `undefined` for an agent that registered itself. */
  readonly host: string | undefined
}

export const makeAgents = Effect.gen(function*() {
  const clients = yield* OAuthClients
  const documents = yield* ClientDocuments

  return {
    find: Effect.fn("Agents.find")(function*(clientId: string): Effect.fn.Return<Agent> {
      const registered = yield* clients.find(clientId)
      if (Option.isSome(registered)) {
        return { clientId, name: registered.value.client_name ?? "An agent without a name", host: undefined }
      }
      const { host } = URL.parse(clientId) ?? { host: clientId }
      const document = Option.flatMap(yield* documents.find(clientId), parseDocument)
      const name = Option.getOrUndefined(document)?.client_name
      return { clientId, name: name ?? host, host }
    })
  }
})

const parseDocument = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ client_name: Schema.String.pipe(Schema.optionalKey) }))
)
