import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Agent } from "@effect/platform-node/Undici"
import { Clock, Config, Context, Duration, Effect, Layer, Record, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/unstable/http"
import { constants } from "node:buffer"
import { UpstreamUnreachable } from "../Api/Errors.ts"
import type { Credential } from "./Provider.ts"
import { type Answer, Unanswered, unansweredBecause } from "./UpstreamAnswer.ts"
import { readText } from "./UpstreamBody.ts"
import { again, outcomeOf } from "./UpstreamRetry.ts"
import { encodeQuery, withQuery } from "./UpstreamUrl.ts"

export interface UpstreamRequest {
  readonly method: "GET" | "POST" | "PUT"
  readonly url: URL
  readonly credential?: Credential
  readonly body?:
    | { readonly _tag: "Json"; readonly text: string }
    | { readonly _tag: "Form"; readonly fields: Readonly<Record<string, string | Redacted.Redacted>> }
    | undefined
  /** The request changes nothing, so it may be sent again where that can help. */
  readonly repeatable: boolean
  /** Epoch milliseconds at which the exchange ends, where that is sooner than `UPSTREAM_TIMEOUT` lets it. */
  readonly deadline?: number
}

const Timeout = Schema.DurationFromString.check(
  Schema.makeFilter(
    (timeout) => Duration.between(timeout, { minimum: Duration.millis(1), maximum: Duration.hours(1) }),
    { message: "Expected a duration from 1 millisecond to 1 hour" }
  )
)
const MaxBytes = Schema.FiniteFromString.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: 1, maximum: constants.MAX_STRING_LENGTH })
)

const settings = Config.all({
  timeout: Config.schema(Timeout, "UPSTREAM_TIMEOUT").pipe(Config.withDefault(Duration.seconds(30))),
  maxBytes: Config.schema(MaxBytes, "MAX_RESPONSE_BYTES").pipe(Config.withDefault(52_428_800))
})

/**
 * HTTP to the outside: bounded in time and size, following no redirect, telling upstreams nothing of our traces, and
 * traces nothing of the requests.
 */
export class Upstream extends Context.Service<Upstream, {
  /** One exchange, tries of a repeatable request included, within `UPSTREAM_TIMEOUT`. Any status is an answer. */
  readonly exchange: (request: UpstreamRequest) => Effect.Effect<Answer, UpstreamUnreachable>
  /** The deadline of an exchange that would start now, for exchanges that belong together. */
  readonly deadline: Effect.Effect<number>
}>()("openaccounts/Providers/Upstream") {
  static readonly layer = Layer.effect(
    Upstream,
    Effect.gen(function*() {
      const { maxBytes, timeout } = yield* settings
      const client = yield* HttpClient.HttpClient

      const once = (request: UpstreamRequest): Effect.Effect<Answer, Unanswered> =>
        client.execute(httpRequest(request)).pipe(
          Effect.flatMap((response) =>
            Effect.map(
              readText(response, request.url.host, maxBytes),
              (text): Answer => ({ status: response.status, headers: response.headers, text })
            )
          ),
          Effect.catchTag(
            "HttpClientError",
            ({ reason }) => Effect.fail(unansweredBecause(reason.cause, request.url.host))
          )
        )

      const repeatedly = (request: UpstreamRequest) => {
        const outcome = Effect.zipWith(Effect.result(once(request)), Clock.currentTimeMillis, outcomeOf)
        return outcome.pipe(
          Effect.flatMap((first) =>
            first.wait === undefined ? Effect.succeed(first) : Effect.scheduleFrom(outcome, first, again)
          ),
          Effect.flatMap(({ result }) => Effect.fromResult(result))
        )
      }

      return Upstream.of({
        exchange: Effect.fnUntraced(
          function*(request) {
            const remaining = request.deadline === undefined
              ? timeout
              : Duration.millis(request.deadline - (yield* Clock.currentTimeMillis))
            return yield* (request.repeatable ? repeatedly(request) : once(request)).pipe(
              Effect.timeoutOrElse({
                duration: remaining,
                orElse: () =>
                  Effect.fail(
                    Unanswered.of(`${request.url.host} did not answer within ${Duration.format(timeout)}.`)
                  )
              })
            )
          },
          Effect.mapError(({ message }) => new UpstreamUnreachable({ message })),
          Effect.provideService(HttpClient.TracerDisabledWhen, () => true)
        ),
        deadline: Effect.map(Clock.currentTimeMillis, (now) => now + Duration.toMillis(timeout))
      })
    })
  )

  /**
   * The client for `layer`: it hands bodies over as they come, compressed or not, and reads none beyond
   * `MAX_RESPONSE_BYTES`.
   */
  static readonly httpClientLayer = NodeHttpClient.layerUndiciNoDispatcher.pipe(
    Layer.provide(Layer.effect(
      NodeHttpClient.Dispatcher,
      Effect.flatMap(settings, ({ maxBytes }) =>
        Effect.acquireRelease(
          Effect.sync(() =>
            new Agent({
              maxResponseSize: maxBytes,
              connections: 256,
              // Well below the idle timeouts of the providers, so that no request meets a connection that is being closed.
              keepAliveTimeout: 10_000,
              keepAliveMaxTimeout: 60_000,
              connect: { timeout: 5_000 },
              allowH2: false
            })
          ),
          (agent) => Effect.promise(() => agent.destroy())
        ))
    ))
  )
}

/** Where secrets leave their wrapping, on the way to the socket. */
const httpRequest = ({ body, credential, method, url }: UpstreamRequest): HttpClientRequest.HttpClientRequest => {
  const request = HttpClientRequest.make(method)(
    credential?._tag === "ApiKey" ? withQuery(url, { apikey: Redacted.value(credential.key) }).href : url.href,
    {
      headers: {
        accept: "application/json",
        // Google compresses only for a client that says so twice.
        "accept-encoding": "gzip",
        "user-agent": "OpenAccounts (gzip)",
        ...(credential?._tag === "Bearer" ? { authorization: `Bearer ${Redacted.value(credential.token)}` } : {})
      }
    }
  )
  switch (body?._tag) {
    case undefined:
      return request
    case "Json":
      return HttpClientRequest.bodyText(request, body.text, "application/json; charset=UTF-8")
    case "Form":
      return HttpClientRequest.bodyText(
        request,
        encodeQuery(Record.map(body.fields, (field) => typeof field === "string" ? field : Redacted.value(field))),
        "application/x-www-form-urlencoded"
      )
  }
}
