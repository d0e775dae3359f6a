import { Clock, Config, Context, Duration, Effect, Layer, Record, Redacted, Result, Schema } from "effect"
import { UpstreamUnreachable } from "../../Api/Errors.ts"
import type { HttpMethod } from "../Provider.ts"
import type { RequestAuthentication } from "../RequestAuthentication.ts"
import { type Deadline, type DispatchedRequest, Dispatcher, maxResponseBytes } from "./Dispatcher.ts"
import { readBody } from "./ResponseBody.ts"
import { again, outcomeOf } from "./Retry.ts"
import { isSuccessful, TransportError, type UpstreamResponse } from "./UpstreamResponse.ts"
import { encodeQuery, type UpstreamUrl, withQuery } from "./UpstreamUrl.ts"

/** A secret, and where the request carries it. */
export interface Credential {
  readonly secret: Redacted.Redacted
  readonly authentication: RequestAuthentication
}

export interface UpstreamRequest {
  readonly method: HttpMethod
  readonly url: UpstreamUrl
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
/**
 * HTTP to the outside: bounded in time and size, following no redirect, telling upstreams nothing of our traces, and
 * traces nothing of the requests.
 */
export class Upstream extends Context.Service<Upstream, {
  /** One exchange, tries of a repeatable request included, within `UPSTREAM_TIMEOUT`. Any status is an answer. */
  readonly exchange: (request: UpstreamRequest) => Effect.Effect<UpstreamResponse, UpstreamUnreachable>
  /** The deadline of an exchange that would start now, for exchanges that belong together. */
  readonly deadline: Effect.Effect<number>
}>()("openaccounts/Providers/Upstream") {
  static readonly layer = Layer.effect(
    Upstream,
    Effect.gen(function*() {
      const timeout = yield* Config.schema(Timeout, "UPSTREAM_TIMEOUT").pipe(Config.withDefault(Duration.seconds(30)))
      const maxBytes = yield* maxResponseBytes
      const { dispatch } = yield* Dispatcher

      const once = (request: UpstreamRequest, deadline: Deadline): Effect.Effect<UpstreamResponse, TransportError> =>
        Effect.flatMap(dispatch(httpRequest(request, deadline)), (answer) =>
          Effect.mapEager(
            readBody(answer, request.url.host, maxBytes),
            ({ json, text }): UpstreamResponse => ({ status: answer.status, headers: answer.headers, text, json })
          ))

      const repeatedly = (
        request: UpstreamRequest,
        deadline: Deadline
      ): Effect.Effect<UpstreamResponse, TransportError> =>
        Effect.matchEffect(once(request, deadline), {
          onSuccess: (first) =>
            isSuccessful(first.status) ? Effect.succeed(first) : retried(Result.succeed(first), request, deadline),
          onFailure: (failure) => retried(Result.fail(failure), request, deadline)
        })

      const retried = Effect.fnUntraced(function*(
        result: Result.Result<UpstreamResponse, TransportError>,
        request: UpstreamRequest,
        deadline: Deadline
      ) {
        const now = yield* Clock.currentTimeMillis
        const first = outcomeOf(result, now)
        if (first.wait === undefined) return yield* Effect.fromResult(result)
        const outcome = Effect.zipWith(Effect.result(once(request, deadline)), Clock.currentTimeMillis, outcomeOf)
        const last = yield* Effect.timeoutOrElse(Effect.scheduleFrom(outcome, first, again), {
          duration: deadline.at - now,
          orElse: () => Effect.fail(deadline.exceeded())
        })
        return yield* Effect.fromResult(last.result)
      })

      const exchange = (request: UpstreamRequest): Effect.Effect<UpstreamResponse, UpstreamUnreachable> =>
        Effect.clockWith((clock) => {
          const deadline: Deadline = {
            at: request.deadline ?? clock.currentTimeMillisUnsafe() + Duration.toMillis(timeout),
            exceeded: () => TransportError.of(`${request.url.host} did not answer within ${Duration.format(timeout)}.`)
          }
          return Effect.mapError(
            request.repeatable ? repeatedly(request, deadline) : once(request, deadline),
            ({ message }) => new UpstreamUnreachable({ message })
          )
        })

      return Upstream.of({
        exchange,
        deadline: Effect.map(Clock.currentTimeMillis, (now) => now + Duration.toMillis(timeout))
      })
    })
  )
}

/** Where secrets leave their wrapping, on the way to the socket. */
const httpRequest = (
  { body, credential, method, url }: UpstreamRequest,
  deadline: Deadline
): DispatchedRequest => ({
  method,
  url: credential?.authentication._tag === "QueryParameter"
    ? withQuery(url, { [credential.authentication.name]: Redacted.value(credential.secret) })
    : url,
  headers: {
    accept: "application/json",
    // Google compresses only for a client that says so twice.
    "accept-encoding": "gzip",
    "user-agent": "OpenAccounts (gzip)",
    ...authenticationHeader(credential),
    ...(body === undefined ? {} : { "content-type": contentTypes[body._tag] })
  },
  body: textOf(body),
  deadline
})

const authenticationHeader = (credential: Credential | undefined): Readonly<Record<string, string>> => {
  if (credential === undefined) return {}
  const { authentication, secret } = credential
  switch (authentication._tag) {
    case "Bearer":
      return { authorization: `Bearer ${Redacted.value(secret)}` }
    case "Header":
      return { [authentication.name]: Redacted.value(secret) }
    case "QueryParameter":
      return {}
  }
}

const contentTypes = {
  Json: "application/json; charset=UTF-8",
  Form: "application/x-www-form-urlencoded"
}

const textOf = (body: UpstreamRequest["body"]): string | null => {
  switch (body?._tag) {
    case undefined:
      return null
    case "Json":
      return body.text
    case "Form":
      return encodeQuery(
        Record.map(body.fields, (field) => typeof field === "string" ? field : Redacted.value(field))
      )
  }
}
