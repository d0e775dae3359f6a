import { Context, Duration, Effect, Layer, Option, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import { Readable } from "node:stream"
import { SandboxStore } from "../Data/SandboxStore.ts"
import { badGatewayPage } from "../HtmlPages.ts"
import { type Caller, Identity } from "../Identity/Identity.ts"
import { findFault, RequestedFault, retryAfterSeconds, slowSeconds } from "./Faults.ts"

type Response = HttpServerResponse.HttpServerResponse

export interface FaultCaller extends Pick<Caller, "grant" | "id"> {
  readonly kind: Caller["kind"] | "api_key"
}

export interface FaultResponses {
  readonly unauthorized: Response
  readonly forbidden: Response
  readonly throttled: (headers: Readonly<Record<string, string>>) => Response
  readonly internal: Response
}

export class FaultInjection extends Context.Service<FaultInjection, {
  /** The response of the fault that was asked for, or that the resource triggers. */
  readonly inject: (
    resource: string | undefined,
    caller: FaultCaller,
    responses: FaultResponses
  ) => Effect.Effect<Option.Option<Response>>
}>()("openaccounts/Sandbox/Faults/FaultInjection") {
  static readonly layer = Layer.effect(
    FaultInjection,
    Effect.gen(function*() {
      const identity = yield* Identity
      const store = yield* SandboxStore

      const refusesToken = ({ grant, id }: FaultCaller) =>
        store.modify("expired-token", grant, (refused) => {
          const renewed = Option.isSome(refused) && refused.value !== null && refused.value !== id
          return Result.succeed({ result: !renewed, next: renewed ? null : id })
        })

      return FaultInjection.of({
        inject: Effect.fnUntraced(function*(resource, caller, responses) {
          const requested = yield* RequestedFault
          const ofResource = Option.flatMap(Option.fromUndefinedOr(resource), findFault)
          switch (requested() ?? Option.getOrUndefined(ofResource)?.name) {
            case undefined:
              return Option.none()
            case "expired-token":
              return (yield* refusesToken(caller)) ? Option.some(responses.unauthorized) : Option.none()
            case "refused-token":
              return Option.some(responses.unauthorized)
            case "revoked-grant":
              if (caller.kind === "user") yield* identity.revokeGrant(caller.grant)
              return Option.some(responses.unauthorized)
            case "permission-denied":
              return Option.some(responses.forbidden)
            case "throttled":
              return Option.some(responses.throttled({}))
            case "throttled-retry-after":
              return Option.some(responses.throttled({ "retry-after": `${retryAfterSeconds}` }))
            case "server-error":
              return Option.some(responses.internal)
            case "html-error":
              return Option.some(badGatewayPage)
            case "slow-answer":
              yield* Effect.sleep(Duration.seconds(slowSeconds))
              return Option.none()
            case "cut-off-answer":
              return Option.some(truncatedResponse())
            case "not-json":
              return Option.some(invalidJsonResponse)
          }
        })
      })
    })
  )
}

const invalidJsonResponse = HttpServerResponse.text("{\"rows\": [ this is not JSON", {
  contentType: "application/json; charset=UTF-8"
})

const truncatedResponse = () => {
  const start = "{\"rows\": ["
  return HttpServerResponse.raw(
    Readable.from((function*() {
      yield start
      throw new Error("cut off")
    })()),
    { headers: { "content-type": "application/json; charset=UTF-8", "content-length": "4096" } }
  )
}
