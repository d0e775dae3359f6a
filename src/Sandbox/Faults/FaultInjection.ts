import { Context, Duration, Effect, Layer, Option, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import { Readable } from "node:stream"
import { SandboxStore } from "../Data/SandboxStore.ts"
import { badGatewayPage } from "../HtmlPages.ts"
import { type Caller, Identity } from "../Identity/Identity.ts"
import { type Fault, retryAfterSeconds, slowSeconds } from "./Faults.ts"

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
  readonly inject: (
    fault: Fault,
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
        inject: ({ name }, caller, responses) => {
          switch (name) {
            case "expired-token":
              return Effect.map(
                refusesToken(caller),
                (refuses) => refuses ? Option.some(responses.unauthorized) : Option.none()
              )
            case "refused-token":
              return Effect.succeedSome(responses.unauthorized)
            case "revoked-grant":
              return Effect.as(
                caller.kind === "user" ? identity.revokeGrant(caller.grant) : Effect.void,
                Option.some(responses.unauthorized)
              )
            case "permission-denied":
              return Effect.succeedSome(responses.forbidden)
            case "throttled":
              return Effect.succeedSome(responses.throttled({}))
            case "throttled-retry-after":
              return Effect.succeedSome(responses.throttled({ "retry-after": `${retryAfterSeconds}` }))
            case "server-error":
              return Effect.succeedSome(responses.internal)
            case "html-error":
              return Effect.succeedSome(badGatewayPage)
            case "slow-answer":
              return Effect.as(Effect.sleep(Duration.seconds(slowSeconds)), Option.none())
            case "cut-off-answer":
              return Effect.sync(() => Option.some(truncatedResponse()))
            case "not-json":
              return Effect.succeedSome(invalidJsonResponse)
          }
        }
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
