import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Context, Duration, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { RateLimited } from "../../Api/Errors.ts"
import { RequestTimeout } from "../../Api/Errors/RequestErrors.ts"
import { maxSmallBodyBytes } from "../../Api/Middleware.ts"
import { FairCapacity } from "../../Capacity/FairCapacity.ts"
import { CurrentAddress } from "../../Domain/Request/CurrentAddress.ts"
import { networkOf } from "../../Domain/Request/Network.ts"
import { maxRequestBytes, readBody, type ReadError } from "./RequestBody.ts"

/** The most bytes of all bodies together. */
const capacity = 4_194_304

/** Smaller bodies, in bytes, are not counted: a full budget does not refuse most sign-ins and token requests. */
const small = 2048

const maxWaiting = 100
const maxWait = Duration.seconds(5)

/** How long a body may take from the headers to the last byte. */
const maxTime = Duration.seconds(10)

/** The bodies of callers who are unknown. They share a small memory fairly between networks. */
export class AnonymousBodies extends Context.Service<AnonymousBodies, {
  /** Reads the body of the current request, and keeps its memory reserved while `handle` runs. */
  readonly use: <A, E, R>(
    handle: (body: Uint8Array) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | ReadError | RateLimited, R | HttpServerRequest.HttpServerRequest>
}>()("openaccounts/Http/Server/AnonymousBodies") {
  static readonly layer = Layer.effect(
    AnonymousBodies,
    Effect.gen(function*() {
      const limit = Math.min(maxSmallBodyBytes, yield* maxRequestBytes)
      const memory = new FairCapacity({ capacity, maxWaiting, maxWait, exceeded: tooManyBodies })

      return AnonymousBodies.of({
        use: (handle) =>
          Effect.scopedWith((scope) =>
            Effect.gen(function*() {
              const request = yield* HttpServerRequest.HttpServerRequest
              const network = networkOf((yield* CurrentAddress) ?? "")
              const hold = (bytes: number) => memory.reserve(network, bytes, scope)
              const body = Effect.timeoutOrElse(readBody(request, limit, hold, small), {
                duration: maxTime,
                orElse: () => tooSlow(request)
              })
              return yield* Effect.flatMap(body, handle)
            })
          )
      })
    })
  )
}

const tooManyBodies = () =>
  new RateLimited({
    message: "Too many requests that are not signed in send long bodies. Retry in 5 seconds.",
    details: { limited_by: "capacity", retry_after_seconds: 5 }
  })

const tooSlow = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.suspend(() => {
    NodeHttpServerRequest.toServerResponse(request).setHeader("connection", "close")
    return Effect.fail(new RequestTimeout())
  })
