import { Effect, Option } from "effect"
import { ConnectionNotFound } from "../../Api/Errors.ts"
import { CurrentScope, isClientInScope } from "../../Domain/Request/ManagementScope.ts"
import type { ConnectionRepo } from "../ConnectionRepo.ts"

export const unknownConnection = (id: string) =>
  new ConnectionNotFound({ message: `There is no connection with the id "${id}".` })

/** A connection outside of `CurrentScope` counts as missing. */
export const connectionInScope = Effect.fnUntraced(function*(connections: ConnectionRepo["Service"], id: string) {
  const { clientIds } = yield* CurrentScope
  const found = yield* connections.find(id)
  return Option.isSome(found) && isClientInScope(clientIds, found.value.client_id)
    ? found.value
    : yield* unknownConnection(id)
})
