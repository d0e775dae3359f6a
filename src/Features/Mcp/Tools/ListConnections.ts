import { Effect, Schema } from "effect"
import { type InvalidInput, type ProviderNotFound } from "../../../Api/Errors.ts"
import { decodeArguments } from "../../../Calls/AgentTools/ToolArguments.ts"
import { ConnectionRepo } from "../../../Connections/ConnectionRepo.ts"
import { grantedOf, type Principal } from "../../../Domain/Access/Principal.ts"
import { Connection } from "../../../Domain/Connection.ts"
import { Health, HealthReason } from "../../../Domain/Health.ts"
import { Clients } from "../../../Management/Clients.ts"
import { Catalog } from "../../../Providers/Catalog/Catalog.ts"
import type { Provider } from "../../../Providers/Provider.ts"

const decode = decodeArguments(Schema.Struct({ provider: Schema.optionalKey(Schema.String) }))

/** Leaves out the scopes, times and sentences, which do not help an agent to choose. */
const encode = Schema.encodeSync(
  Connection.mapFields(({ auth_type, client_id, external_account, id, label, last_error, provider, status }) => ({
    health: Schema.Struct({
      state: Health.fields.state,
      reasons: Schema.Array(HealthReason.mapFields(({ code, expected_at }) => ({ code, expected_at })))
    }),
    id,
    provider,
    label,
    external_account,
    status,
    client_id,
    auth_type,
    last_error
  }))
)

export const makeListConnections = Effect.gen(function*() {
  const catalog = yield* Catalog
  const connections = yield* ConnectionRepo
  const clients = yield* Clients

  const visible = (principal: Principal, provider?: string): Effect.Effect<ReadonlyArray<Connection>> =>
    Effect.map(
      connections.list(principal.clientIds, provider === undefined ? {} : { provider }),
      (found) => grantedOf(principal, found).filter(({ status }) => status !== "revoked")
    )

  const list = Effect.fnUntraced(function*(
    principal: Principal,
    args: unknown
  ): Effect.fn.Return<object, InvalidInput | ProviderNotFound> {
    const { provider } = yield* decode(args)
    const providers = provider === undefined ? catalog.providers : [yield* catalog.provider(provider)]
    const found = yield* visible(principal, provider)
    const named = yield* clients.named([...new Set(found.flatMap(({ client_id }) => client_id ?? []))])
    const names = new Map(named.map(({ id, name }) => [id, name]))
    return {
      connections: found.map((connection) => ({
        ...encode(connection),
        client: connection.client_id === null ? null : names.get(connection.client_id) ?? null
      })),
      not_connected: withoutActive(providers, found).map((provider) => ({
        provider: provider.id,
        tools: toolsOf(provider, principal)
      }))
    }
  })

  return { visible, list }
})

const toolsOf = ({ tools }: Provider, { access }: Principal) =>
  tools.filter(({ writes }) => access === "read_write" || !writes).map(({ name }) => name)

export const withoutActive = (
  providers: ReadonlyArray<Provider>,
  connections: ReadonlyArray<Connection>
): ReadonlyArray<Provider> => {
  const active = new Set(connections.filter(({ status }) => status === "active").map(({ provider }) => provider))
  return providers.filter(({ id }) => !active.has(id))
}
