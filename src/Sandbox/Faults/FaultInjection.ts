import { Context, Duration, Effect, Layer, Option, Result } from "effect"
import type { HttpServerResponse } from "effect/http"
import { SandboxStore } from "../Data/SandboxStore.ts"
import { type Caller, Identity } from "../Identity/Identity.ts"
import { badGatewayPage, cutOff, notJson } from "./BrokenResponses.ts"
import { type Fault, retryAfterSeconds, slowSeconds } from "./Faults.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Whose request is to fail. */
export interface FaultCaller {
  readonly grant: string
  /** Of the access token. */
  readonly id: string
  readonly kind: Caller["kind"] | "api_key"
}

/** How a provider words what it refuses. */
export interface FaultResponses {
  readonly unauthorized: Response
  readonly forbidden: Response
  readonly throttled: (headers: Readonly<Record<string, string>>) => Response
  readonly internal: Response
}

const some = (response: Response) => Effect.succeed(Option.some(response))

/** Plays the failures that are asked for. */
export class FaultInjection extends Context.Service<FaultInjection, {
  /** What the request is answered with instead; None lets it pass. */
  readonly inject: (
    failure: Fault,
    requester: FaultCaller,
    wording: FaultResponses
  ) => Effect.Effect<Option.Option<Response>>
}>()("openaccounts/Sandbox/Interference") {
  static readonly layer = Layer.effect(
    FaultInjection,
    Effect.gen(function*() {
      const identity = yield* Identity
      const store = yield* SandboxStore

      /** Refuses a grant's requests until another access token comes than the one that was refused. */
      const isRefused = ({ grant, id }: FaultCaller) =>
        store.modify("expired-token", grant, (refused) => {
          const fresh = Option.isSome(refused) && refused.value !== null && refused.value !== id
          return Result.succeed({ result: !fresh, next: fresh ? null : id })
        })

      return FaultInjection.of({
        inject: ({ name }, requester, wording) => {
          switch (name) {
            case "expired-token":
              return Effect.map(
                isRefused(requester),
                (refused) => refused ? Option.some(wording.unauthorized) : Option.none()
              )
            case "refused-token":
              return some(wording.unauthorized)
            case "revoked-grant":
              return Effect.as(
                requester.kind === "user" ? identity.revokeGrant(requester.grant) : Effect.void,
                Option.some(wording.unauthorized)
              )
            case "permission-denied":
              return some(wording.forbidden)
            case "throttled":
              return some(wording.throttled({}))
            case "throttled-retry-after":
              return some(wording.throttled({ "retry-after": `${retryAfterSeconds}` }))
            case "server-error":
              return some(wording.internal)
            case "html-error":
              return some(badGatewayPage)
            case "slow-answer":
              return Effect.as(Effect.sleep(Duration.seconds(slowSeconds)), Option.none())
            case "cut-off-answer":
              return Effect.sync(() => Option.some(cutOff()))
            case "not-json":
              return some(notJson)
          }
        }
      })
    })
  )
}
