import { Cause, Data, Effect, Exit } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import { ErrorBody } from "../../Api/ErrorBody.ts"
import type { ErrorCheck } from "../../Api/Errors/ErrorCheck.ts"
import { Api } from "../../Features/Contracts.ts"

/** An error of the API, or one of the client's own: see `Failure`. */
export class ServiceError<Code extends string = string> extends Data.TaggedError("ServiceError")<{
  readonly code: Code
  readonly message: string
  readonly callId?: string
  readonly details?: unknown
  readonly check?: ErrorCheck
}> {}

type CodeOf<E> = E extends ServiceError ? never : E extends { readonly code: infer Code extends string } ? Code : never

/**
 * The failure of a request whose errors in the contract are `E`. Two more codes: `unreachable` without a response,
 * `unreadable` for a response that is not the API's.
 */
export type Failure<E> = ServiceError<CodeOf<E> | "unreachable" | "unreadable">

/** Trying again may help: the service did not respond, or it is starting or stopping. */
export const isUnavailable = ({ code }: ServiceError): boolean => code === "unreachable" || code === "unavailable"

const failOnErrorStatus = (response: HttpClientResponse.HttpClientResponse) =>
  response.status < 400
    ? Effect.succeed(response)
    : Effect.flatMap(
      HttpClientResponse.schemaBodyJson(ErrorBody)(response),
      ({ call_id, error }) => Effect.fail(new ServiceError({ ...error, callId: call_id }))
    )

const makeService = (headers: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const httpClient = yield* HttpClient.HttpClient
    return yield* HttpApiClient.makeWith(Api, {
      baseUrl: location.origin,
      httpClient: httpClient.pipe(
        HttpClient.mapRequest(HttpClientRequest.setHeaders(headers)),
        HttpClient.transformResponse(Effect.flatMap(failOnErrorStatus))
      )
    })
  }).pipe(Effect.provide(FetchHttpClient.layer), Effect.runSync)

/** The client in the session of the signed-in member, read-only. */
export const service = makeService({})
export type Service = typeof service

export const writingService = makeService({ "x-oa-access": "read_write" })

const toServiceError = (error: unknown): ServiceError => {
  if (error instanceof ServiceError) return error
  const isTransportError = error instanceof Error && "reason" in error
  return isTransportError
    ? new ServiceError({ code: "unreachable", message: "The service does not answer. Check your network." })
    : new ServiceError({
      code: "unreadable",
      message: "The response does not fit this version of the dashboard. Reload the page."
    })
}

/** Fails with a `Failure<E>` only. */
export const run = async <A, E>(effect: Effect.Effect<A, E>, signal?: AbortSignal): Promise<A> => {
  const exit = await Effect.runPromiseExit(effect, signal && { signal })
  if (Exit.isSuccess(exit)) return exit.value
  throw toServiceError(Cause.squash(exit.cause))
}
