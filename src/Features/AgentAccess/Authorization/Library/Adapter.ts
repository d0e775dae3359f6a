import { Clock, Duration, Effect, Option, type Redacted } from "effect"
import type { Adapter, AdapterPayload, errors as libraryErrors } from "oidc-provider"
import { type OAuthTokens, refreshGrace, type StoredToken, type TokenKind } from "../../../../Auth/OAuthTokens.ts"
import type { Grant } from "../../../../Domain/Access/Grant.ts"
import type { MemberId } from "../../../../Domain/Ids.ts"
import { generateGrantToken } from "../../../../Secrets/IssuedSecrets.ts"
import type { Grants } from "../../Grants.ts"
import type { OAuthClients } from "../OAuthClients.ts"
import { usedCode } from "./LibraryBends.ts"

export type Run = <A>(effect: Effect.Effect<A>) => Promise<A>

/** What one request has in common with the library's calls of the adapter. */
export interface CurrentRequest {
  readonly memberId: MemberId | undefined
  /** The refresh token that the response gives instead of a new one. */
  successor?: Redacted.Redacted
  hasTooManyRequests?: boolean
}

export interface Storage {
  readonly current: () => CurrentRequest | undefined
  readonly tokens: OAuthTokens["Service"]
  readonly clients: OAuthClients["Service"]
  readonly grants: Grants["Service"]
  readonly resource: string
  readonly errors: typeof libraryErrors
  readonly run: Run
}

const neverUsed = async (): Promise<void> => {}

/** The adapter of models that are not stored. The service has its own sessions. */
const unusedAdapter: Adapter = {
  upsert: neverUsed,
  find: neverUsed,
  findByUserCode: neverUsed,
  findByUid: neverUsed,
  consume: neverUsed,
  destroy: neverUsed,
  revokeByGrantId: neverUsed
}

export const makeAdapter = (storage: Storage) => (model: string): Adapter => {
  switch (model) {
    case "AccessToken":
    case "AuthorizationCode":
    case "Interaction":
    case "RefreshToken":
      return tokenAdapter(storage, model)
    case "Grant":
      return grantAdapter(storage)
    case "Client":
      return clientAdapter(storage)
    default:
      return unusedAdapter
  }
}

const tokenAdapter = ({ clients, current, errors, grants, run, tokens }: Storage, kind: TokenKind): Adapter => {
  const endGrant = (id: string) =>
    Effect.gen(function*() {
      const found = yield* tokens.find(kind, id)
      const { grantId } = Option.isSome(found) ? payloadOf(found.value) : {}
      if (grantId !== undefined) yield* Effect.ignore(grants.revoke(grantId))
    })

  return {
    ...unusedAdapter,
    upsert: (id, payload, seconds = 0) =>
      run(Effect.gen(function*() {
        const token = {
          kind,
          id,
          payload: { ...payload, jti: undefined },
          grantId: payload.grantId,
          scope: payload.scope,
          lifetime: Duration.seconds(seconds)
        }
        const request = current()
        if (kind === "Interaction" && request?.memberId !== undefined) {
          request.hasTooManyRequests = !(yield* tokens.putConsentRequest(token, request.memberId))
        } else {
          yield* tokens.put(token)
        }
        if (payload.clientId !== undefined) yield* clients.renew(payload.clientId)
      })),

    find: (id) =>
      run(Effect.gen(function*() {
        const found = yield* tokens.find(kind, id)
        if (Option.isNone(found)) return undefined
        const { consumedAt } = found.value
        const now = yield* Clock.currentTimeMillis
        const inGrace = kind === "RefreshToken" && consumedAt !== null &&
          consumedAt.getTime() > now - Duration.toMillis(refreshGrace)
        const payload = { ...payloadOf(found.value), jti: id }
        if (consumedAt === null || inGrace) return payload
        const used = { ...payload, consumed: Math.floor(consumedAt.getTime() / 1000) }
        return kind === "AuthorizationCode" ? usedCode(used, now) : used
      })),

    // The library has checked that it is unused, but two requests can pass that check at the same time.
    consume: (id) =>
      run(Effect.gen(function*() {
        if (kind === "RefreshToken") {
          const rotated = yield* tokens.rotate(id, generateGrantToken("refresh"))
          const request = current()
          if (Option.isSome(rotated) && request !== undefined) request.successor = rotated.value
          if (Option.isSome(rotated)) return true
        } else if (yield* tokens.consume(kind, id)) {
          return true
        }
        yield* endGrant(id)
        return false
      })).then((isFirst) => {
        if (!isFirst) throw new errors.InvalidGrant({ detail: "already used" })
      }),

    destroy: (id) =>
      run(tokens.remove(kind, id)).then((isFirst) => {
        if (kind === "Interaction" && !isFirst) throw new errors.SessionNotFound("interaction session not found")
      }),

    // The library also destroys the grant, which deletes its codes and tokens.
    revokeByGrantId: neverUsed
  }
}

const payloadOf = ({ payload }: StoredToken): AdapterPayload =>
  typeof payload === "object" && payload !== null ? { ...payload } : {}

/** Read at each use, so that a change of a grant takes effect immediately. The library does not write grants. */
const grantAdapter = ({ grants, resource, run }: Storage): Adapter => ({
  ...unusedAdapter,
  find: (id) =>
    run(Effect.map(
      Effect.option(grants.find(id)),
      (found) =>
        Option.isNone(found) || found.value.revoked_at !== null ? undefined : grantPayload(found.value, resource)
    )),
  destroy: (id) => run(Effect.ignore(grants.revoke(id)))
})

/** Without `rejected`, the library asks the member again for a scope that was not granted. */
const grantPayload = ({ access, agent, created_at, id, member_id }: Grant, resource: string) => ({
  kind: "Grant",
  jti: id,
  iat: Math.floor(created_at.getTime() / 1000),
  // The year 9999. A grant ends when it is revoked.
  exp: 253_402_300_799,
  accountId: member_id,
  clientId: agent.client_id,
  resources: { [resource]: access === "read_write" ? "read write" : "read" },
  rejected: access === "read_write" ? {} : { resources: { [resource]: "write" } }
})

const clientAdapter = ({ clients, run }: Storage): Adapter => ({
  ...unusedAdapter,
  upsert: (_, metadata) => run(clients.register(metadata)),
  find: (id) => run(Effect.map(clients.find(id), Option.getOrUndefined))
})
