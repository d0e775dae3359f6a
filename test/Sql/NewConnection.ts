import { Clock, Effect, Redacted } from "effect"
import { ConnectionRepo } from "../../src/Connections/ConnectionRepo.ts"
import type { NewConnection, StoredConnection } from "../../src/Domain/Connection.ts"
import { ClientId, ConnectionId } from "../../src/Domain/Ids.ts"
import { newId } from "../../src/Domain/NewId.ts"

export const newConnection = Effect.gen(function*() {
  return {
    id: ConnectionId.make(yield* newId("con")),
    client_id: ClientId.make(yield* newId("cli")),
    provider: "gsc",
    auth_type: "oauth",
    label: "Acme",
    external_account: null,
    scopes: [],
    status: "active",
    last_error: null,
    health: { state: "ok", reasons: [] },
    resources: null,
    parent_id: null,
    parent_resources: null,
    last_used_at: null,
    created_at: new Date(yield* Clock.currentTimeMillis)
  } satisfies StoredConnection
})

/** A stored one. */
export const connect = Effect.fnUntraced(function*(more: Partial<NewConnection> = {}) {
  return yield* (yield* ConnectionRepo).create({
    provider: "gsc",
    authType: "oauth",
    credentials: Redacted.make(JSON.stringify({ refresh_token: "1//first", access_token: "ya29.first" })),
    clientId: null,
    label: "Acme",
    externalAccount: null,
    scopes: [],
    ...more
  })
})
