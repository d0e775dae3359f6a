import { Clock, Config, Context, Duration, Effect, Layer, Option, Record, Redacted, Result, Schema } from "effect"
import { Headers, HttpBody, HttpClientRequest, UrlParams } from "effect/http"
import { type RateLimited } from "../Api/Errors.ts"
import { UpstreamUnreachable } from "../Api/Errors/ProviderErrors.ts"
import { maxResponseBytes } from "../Capacity/Capacity.ts"
import { DurationText } from "../Domain/Validation/DurationText.ts"
import { bytesOf } from "../Outbound/BufferedResponse.ts"
import { retries, toAttempt } from "../Outbound/Retry.ts"
import { toTransportError, TransportError } from "../Outbound/TransportError.ts"
import { ProviderHttp } from "../Outbound/UndiciHttpClient.ts"
import { isSuccessful, readResponse, type UpstreamResponse } from "../Outbound/UpstreamResponse.ts"
import { timeoutOrElse } from "../Sql/Timeout.ts"
import type { HttpMethod } from "./Provider.ts"
import type { RequestAuthentication } from "./RequestAuthentication.ts"
import type { Permit } from "./Sending/Permit.ts"
import { encodeQuery, type UpstreamUrl, withQuery } from "./UpstreamUrl.ts"

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
  /** Headers that replace those of every request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly repeatable: boolean
  /** True by default. Only for a repeatable request. */
  readonly retriesServerErrors?: boolean
  /** Whether the request may no longer be sent. Checked before each retry. */
  readonly isOver?: Effect.Effect<boolean>
  /** The provider's quotas. The token endpoint has none. */
  readonly permit?: Pick<Permit, "attempt" | "learn">
  /** Epoch milliseconds. By default `UPSTREAM_TIMEOUT` from now. */
  readonly deadline?: number
}

const Timeout = DurationText.check(
  Schema.makeFilter(
    (timeout) => Duration.between(timeout, { minimum: Duration.millis(1), maximum: Duration.hours(1) }),
    { message: "Expected a duration from 1 millisecond to 1 hour" }
  )
)

type SendError = TransportError | RateLimited

/** The last response to a request that is retried. It is returned if the time ends before another one comes. */
interface Note {
  readonly deadline: number
  answer: UpstreamResponse | undefined
}

export const upstreamTimeout = Config.schema(Timeout, "UPSTREAM_TIMEOUT").pipe(Config.withDefault(Duration.seconds(30)))

export class Upstream extends Context.Service<Upstream, {
  /** Retries a repeatable request within `UPSTREAM_TIMEOUT`. Succeeds with any status, that of the last answer. */
  readonly exchange: (
    request: UpstreamRequest
  ) => Effect.Effect<UpstreamResponse, UpstreamUnreachable | RateLimited>
  readonly deadline: Effect.Effect<number>
}>()("openaccounts/Providers/Upstream") {
  static readonly layer = Layer.effect(
    Upstream,
    Effect.gen(function*() {
      const timeout = yield* upstreamTimeout
      const maxBytes = yield* maxResponseBytes
      const client = yield* ProviderHttp

      const send = (request: UpstreamRequest): Effect.Effect<UpstreamResponse, SendError> => {
        const { permit } = request
        if (permit === undefined) return sendOnce(request)
        return Effect.suspend(() => {
          const units = permit.attempt()
          const answered = Effect.flatMap(sendOnce(request), (response) => {
            const { headers, json, status } = response
            const learned = permit.learn({ status, retryAfter: headers["retry-after"], body: () => json?.value })
            return Effect.mapEager(learned, () => response)
          })
          return units === undefined ? answered : Effect.andThen(units, answered)
        })
      }

      const sendOnce = (request: UpstreamRequest): Effect.Effect<UpstreamResponse, SendError> => {
        const { host } = request.url
        return client.execute(toHttpRequest(request)).pipe(
          Effect.flatMap((response) =>
            Effect.flatMapEager(bytesOf(response), (bytes) => readResponse(response, bytes, host, maxBytes))
          ),
          Effect.catchTag("HttpClientError", ({ reason }) => Effect.fail(toTransportError(reason.cause, host))),
          Effect.scoped
        )
      }

      const sendWithRetries = (request: UpstreamRequest, note: Note): Effect.Effect<UpstreamResponse, SendError> =>
        Effect.matchEffect(send(request), {
          onSuccess: (first) =>
            isSuccessful(first.status) ? Effect.succeed(first) : retry(Result.succeed(first), request, note),
          onFailure: (failure) => retry(Result.fail(failure), request, note)
        })

      const retry = Effect.fnUntraced(function* retryRequest(
        result: Result.Result<UpstreamResponse, SendError>,
        request: UpstreamRequest,
        note: Note
      ) {
        const toNoted = (result: Result.Result<UpstreamResponse, SendError>, now: number) => {
          if (Result.isSuccess(result)) note.answer = result.success
          const attempt = toAttempt(result, now, request)
          return now + (attempt.minWaitMillis ?? 0) < note.deadline ? attempt : { result, minWaitMillis: undefined }
        }
        const first = toNoted(result, yield* Clock.currentTimeMillis)
        if (first.minWaitMillis === undefined) return yield* Effect.fromResult(result)
        const again = Effect.zipWith(Effect.result(send(request)), Clock.currentTimeMillis, toNoted)
        let latest = first
        const attempt = Effect.gen(function* attemptAgain() {
          const isOver = yield* request.isOver ?? Effect.succeed(false)
          latest = isOver ? { ...latest, minWaitMillis: undefined } : yield* again
          return latest
        })
        const last = yield* Effect.scheduleFrom(attempt, first, retries)
        // A retry that got no quota units does not hide the last response.
        const isUnsent = Result.isFailure(last.result) && last.result.failure._tag === "RateLimited"
        return isUnsent && note.answer !== undefined ? note.answer : yield* Effect.fromResult(last.result)
      })

      const exchange = (
        request: UpstreamRequest
      ): Effect.Effect<UpstreamResponse, UpstreamUnreachable | RateLimited> =>
        Effect.clockWith((clock) => {
          const now = clock.currentTimeMillisUnsafe()
          const note: Note = { answer: undefined, deadline: request.deadline ?? now + Duration.toMillis(timeout) }
          return Effect.catchTag(
            timeoutOrElse(request.repeatable ? sendWithRetries(request, note) : send(request), {
              duration: note.deadline - now,
              orElse: () =>
                note.answer === undefined
                  ? Effect.fail(
                    TransportError.of(`${request.url.host} did not answer within ${Duration.format(timeout)}.`)
                  )
                  : Effect.succeed(note.answer)
            }),
            "TransportError",
            ({ message, wasSent }) => new UpstreamUnreachable({ message, wasSent })
          )
        })

      return Upstream.of({
        exchange,
        deadline: Effect.map(Clock.currentTimeMillis, (now) => now + Duration.toMillis(timeout))
      })
    })
  )
}

const toHttpRequest = (
  { body, credential, headers, method, url }: UpstreamRequest
): HttpClientRequest.HttpClientRequest => {
  const { origin, path } = credential?.authentication._tag === "QueryParameter"
    ? withQuery(url, { [credential.authentication.name]: Redacted.value(credential.secret) })
    : url
  const httpBody = toHttpBody(body)
  // `HttpClientRequest.make` copies the headers for each option.
  return HttpClientRequest.makeWith(
    method,
    origin + path,
    UrlParams.empty,
    Option.none(),
    Headers.fromRecordUnsafe({
      accept: "application/json",
      // Google compresses only if the user agent says "gzip" too.
      "accept-encoding": "gzip",
      "user-agent": "OpenAccounts (gzip)",
      ...headers,
      ...authenticationHeader(credential),
      ...(httpBody._tag === "Empty" ? {} : { "content-type": httpBody.contentType })
    }),
    httpBody
  )
}

const authenticationHeader = (credential: Credential | undefined): Readonly<Record<string, string>> => {
  switch (credential?.authentication._tag) {
    case "Bearer":
      return { authorization: `Bearer ${Redacted.value(credential.secret)}` }
    case "Header":
      return { [credential.authentication.name]: Redacted.value(credential.secret) }
    default:
      return {}
  }
}

const toHttpBody = (body: UpstreamRequest["body"]): HttpBody.Empty | HttpBody.Uint8Array => {
  switch (body?._tag) {
    case undefined:
      return HttpBody.empty
    case "Json":
      return HttpBody.text(body.text, "application/json; charset=UTF-8")
    case "Form": {
      const fields = Record.map(body.fields, (field) => typeof field === "string" ? field : Redacted.value(field))
      return HttpBody.text(encodeQuery(fields), "application/x-www-form-urlencoded")
    }
  }
}
