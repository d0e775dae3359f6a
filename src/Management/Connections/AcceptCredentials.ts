import { Effect, type Redacted } from "effect"
import { InvalidInput, type ProviderCallError } from "../../Api/Errors.ts"
import { ConnectionTests } from "../../Connections/ConnectionTests.ts"
import { ConnectionTokens } from "../../Connections/ConnectionTokens.ts"
import type { Credentials } from "../../Connections/Credentials.ts"
import type { ClientId } from "../../Domain/Ids.ts"
import { CurrentScope } from "../../Domain/Request/ManagementScope.ts"
import type { NewCredentialsOf } from "../GivenCredentials.ts"

/** Returns what to store of given credentials: a test can replace tokens. */
export const makeAcceptCredentials = Effect.gen(function*() {
  const tokens = yield* ConnectionTokens
  const tests = yield* ConnectionTests

  /** Members, and keys that are limited to clients, may not store a token that a connection of another client has. */
  const requireOwnToken = Effect.fnUntraced(function*(credentials: Credentials, clientId: ClientId | null) {
    const { clientIds, memberId } = yield* CurrentScope
    if (credentials.type !== "oauth" || clientIds === null && memberId === null) return
    const holders = yield* tokens.withToken(credentials.oauth.refresh_token)
    if (holders.some(({ client_id }) => client_id !== clientId)) {
      return yield* new InvalidInput({ details: [{ path: ["credentials", "refresh_token"], message: isShared }] })
    }
  })

  return Effect.fnUntraced(function*(
    { credentials, provider, scopes, test = false }: NewCredentialsOf,
    clientId: ClientId | null
  ): Effect.fn.Return<Redacted.Redacted, InvalidInput | ProviderCallError> {
    yield* requireOwnToken(credentials.parsed, clientId)
    const tested = test
      ? yield* tests.credentials({ provider, credentials: credentials.parsed, scopes })
      : undefined
    return tested ?? credentials.text
  })
})

const isShared = "A connection of another client has this token. Sign in for a token of your own, or ask an admin to " +
  "derive a connection"
