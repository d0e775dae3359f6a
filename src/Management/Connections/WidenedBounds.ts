import { Effect, Option } from "effect"
import { Forbidden } from "../../Api/Errors.ts"
import { lacksEncryptionKey } from "../../Connections/AccessTokens.ts"
import { ConnectMethods } from "../../Connections/Connect/ConnectMethods.ts"
import { ConnectionRepo } from "../../Connections/ConnectionRepo.ts"
import { ConnectionTokens } from "../../Connections/ConnectionTokens.ts"
import { credentialsIdOf } from "../../Connections/Credentials.ts"
import type { Resources } from "../../Domain/Access/Resource.ts"
import type { StoredConnection } from "../../Domain/Connection.ts"
import { CurrentScope, isClientInScope } from "../../Domain/Request/ManagementScope.ts"
import type { Provider } from "../../Providers/Provider.ts"

/**
 * A caller that is limited to clients may narrow the bound of a connection, and may widen it unless the credentials are
 * the operator's own, or those of a parent that the caller does not see.
 */
export const makeRequireOwnReach = Effect.gen(function*() {
  const connections = yield* ConnectionRepo
  const tokens = yield* ConnectionTokens
  const methods = yield* ConnectMethods

  return Effect.fnUntraced(function*(connection: StoredConnection, provider: Provider, resources: Resources) {
    const { clientIds } = yield* CurrentScope
    const { auth_type, parent_id, resources: before } = connection
    if (clientIds === null || before === null || resources?.every((resource) => before.includes(resource))) return
    const parent = parent_id === null ? Option.none() : yield* connections.find(parent_id)
    const { serviceAccount } = methods.of(provider)
    const isOfOperator = auth_type === "service_account" && Option.isSome(serviceAccount) &&
      Option.exists(
        yield* Effect.catchTag(
          tokens.credentials(credentialsIdOf(connection)),
          "DecryptionFailed",
          lacksEncryptionKey
        ),
        ({ credentials }) =>
          credentials.type === "service_account" && credentials.key.client_email === serviceAccount.value.email
      )
    if (isOfOperator || Option.exists(parent, ({ client_id }) => !isClientInScope(clientIds, client_id))) {
      return yield* new Forbidden({
        message:
          "The credentials of this connection are the operator's, and only the operator may widen its `resources`."
      })
    }
  })
})
