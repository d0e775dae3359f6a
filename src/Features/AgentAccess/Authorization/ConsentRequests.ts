import { Clock, Duration, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { OAuthTokens } from "../../../Auth/OAuthTokens.ts"
import { readResources } from "../../../Connections/Bounds/ReadResources.ts"
import type { SessionPrincipal } from "../../../Domain/Access/Principal.ts"
import { CurrentActor, memberActor } from "../../../Domain/Request/Actor.ts"
import { CurrentScope } from "../../../Domain/Request/ManagementScope.ts"
import { Catalog } from "../../../Providers/Catalog/Catalog.ts"
import { inTransaction } from "../../../Sql/Transaction.ts"
import type { Decision } from "../Consent/ConsentForm.ts"
import { Grants } from "../Grants.ts"
import type { Agent } from "./Agents.ts"

const Payload = Schema.Struct({
  exp: Schema.Number,
  params: Schema.Struct({
    client_id: Schema.String,
    redirect_uri: Schema.String,
    scope: Schema.String
  })
})

export interface ConsentRequest {
  readonly id: string
  readonly payload: object
  readonly clientId: string
  readonly redirectUri: string
  readonly asksToWrite: boolean
  readonly isDecided: boolean
}

export const makeConsentRequests = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tokens = yield* OAuthTokens
  const grants = yield* Grants
  const catalog = yield* Catalog

  const carryOut = Effect.fnUntraced(function*(
    { asksToWrite }: ConsentRequest,
    agent: Agent,
    decision: Decision,
    { memberId }: SessionPrincipal
  ) {
    if (decision.type === "cancel") {
      return { error: "access_denied", error_description: "The member did not grant access" }
    }
    yield* Effect.forEach(decision.endedGrantIds, (id) => Effect.ignore(grants.revoke(id)), { discard: true })
    const resources = yield* readResources(catalog, decision.resources)
    const { id } = yield* grants.create({
      memberId,
      agent: { name: agent.name, clientId: agent.clientId },
      access: asksToWrite ? decision.access : "read_only",
      writes: decision.writes,
      connectionIds: decision.connectionIds,
      resources
    })
    return { login: { accountId: memberId }, consent: { grantId: id } }
  })

  return {
    find: Effect.fn("ConsentRequests.find")(function*(id: string): Effect.fn.Return<Option.Option<ConsentRequest>> {
      const found = yield* tokens.find("Interaction", id)
      if (Option.isNone(found)) return Option.none()
      const { consumedAt, payload } = found.value
      const { exp, params } = yield* Effect.orDie(decode(payload))
      if (exp * 1000 <= (yield* Clock.currentTimeMillis) || typeof payload !== "object" || payload === null) {
        return Option.none()
      }
      return Option.some({
        id,
        payload,
        clientId: params.client_id,
        redirectUri: params.redirect_uri,
        asksToWrite: params.scope.split(" ").includes("write"),
        isDecided: consumedAt !== null
      })
    }),

    /** The first decision counts. The library reads it at the next request of the browser. */
    decide: (request: ConsentRequest, agent: Agent, decision: Decision, session: SessionPrincipal) =>
      Effect.gen(function*() {
        if (!(yield* tokens.consume("Interaction", request.id))) return
        const result = yield* carryOut(request, agent, decision, session)
        yield* tokens.put({
          kind: "Interaction",
          id: request.id,
          payload: { ...request.payload, result },
          grantId: undefined,
          scope: undefined,
          lifetime: Duration.minutes(5)
        })
      }).pipe(
        inTransaction(sql),
        Effect.provideService(CurrentActor, memberActor(session.memberId)),
        Effect.provideService(CurrentScope, { memberId: session.memberId, clientIds: session.clientIds })
      )
  }
})

const decode = Schema.decodeUnknownEffect(Payload)
