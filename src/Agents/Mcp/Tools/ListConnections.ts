import { Effect, Result, Schema } from "effect"
import { InvalidInput, type ProviderNotFound } from "../../../Api/Errors.ts"
import type { ConnectionRepo } from "../../../Connections/ConnectionRepo.ts"
import { Connection } from "../../../Domain/Connection.ts"
import { grantedOf, type Principal } from "../../../Domain/Principal.ts"
import { validator } from "../../../Domain/Validation/Validation.ts"
import type { Catalog } from "../../../Providers/Catalog.ts"

const validate = validator(Schema.Struct({ provider: Schema.optionalKey(Schema.String) }))

/** Leaves out the scopes and times, which do not help an agent to choose. */
const encode = Schema.encodeSync(Schema.Array(
  Connection.mapFields(({ auth_type, client_id, external_account, id, label, last_error, provider, status }) => ({
    id,
    provider,
    label,
    external_account,
    status,
    client_id,
    auth_type,
    last_error
  }))
))

export const visibleConnections = (
  connections: ConnectionRepo["Service"],
  principal: Principal,
  provider?: string
): Effect.Effect<ReadonlyArray<Connection>> =>
  Effect.map(
    connections.list(principal.clientIds, provider === undefined ? {} : { provider }),
    (found) => grantedOf(principal, found).filter(({ status }) => status !== "revoked")
  )

export const listConnections = Effect.fnUntraced(function*(
  catalog: Catalog["Service"],
  connections: ConnectionRepo["Service"],
  principal: Principal,
  args: unknown
): Effect.fn.Return<object, InvalidInput | ProviderNotFound> {
  const { provider } = yield* Result.match(validate(args), {
    onSuccess: Effect.succeed,
    onFailure: (details) => new InvalidInput({ details })
  })
  if (provider !== undefined) yield* catalog.provider(provider)
  return { connections: encode(yield* visibleConnections(connections, principal, provider)) }
})
