import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert } from "@effect/vitest"
import { Context, Effect, Redacted } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import { getGlobalDispatcher } from "undici"
import { isApiError } from "../../src/Api/Errors.ts"
import { UpstreamError } from "../../src/Api/Errors/ProviderErrors.ts"
import { Api } from "../../src/Features/Contracts.ts"
import { assertDetails, errorIn } from "./Answer.ts"

export type ApiClient = HttpApiClient.ForApi<typeof Api, UpstreamError>

/** Decodes `upstream_error`, which can have any status: `HttpApiClient` decodes errors by their status. */
const checkAnswer = Effect.fnUntraced(function*(response: HttpClientResponse.HttpClientResponse) {
  const headers = new Headers(response.headers)
  assert.match(headers.get("x-call-id") ?? "", /^call_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  if (response.status < 400) return response
  const { code, details, message } = errorIn({ headers, text: yield* response.text })
  if (code !== "upstream_error") return response
  return yield* new UpstreamError({ status: response.status, message, details })
})

const Caller = Context.Reference("openaccounts/test/Caller", {
  defaultValue: (): { readonly url: string; readonly token: string | undefined } => ({ url: "", token: undefined })
})

const httpClient = Effect.runSync(
  Effect.provideService(NodeHttpClient.makeUndici, NodeHttpClient.Dispatcher, getGlobalDispatcher())
).pipe(
  HttpClient.mapRequestEffect((request) =>
    Effect.map(Caller, ({ token, url }) => {
      const addressed = HttpClientRequest.prependUrl(request, url)
      return token === undefined ? addressed : HttpClientRequest.bearerToken(addressed, Redacted.make(token))
    })
  ),
  HttpClient.transformResponse((response) =>
    response.pipe(
      // Keeps spans of the tests apart from those of the service.
      Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
      Effect.flatMap(checkAnswer)
    )
  )
)

/** Making it takes longer than most tests do, so that all callers share it. */
const client: ApiClient = Effect.runSync(HttpApiClient.makeWith(Api, { httpClient }))

export const apiClient = (url: string, token?: string): ApiClient =>
  new Proxy(client, {
    get: (groups, group) =>
      new Proxy(Reflect.get(groups, group), {
        get: (endpoints, endpoint) => (request: unknown) =>
          Effect.provideService(Reflect.get(endpoints, endpoint)(request), Caller, { url, token })
      })
  })

export const assertFails = Effect.fnUntraced(function*<A, E, R>(
  request: Effect.Effect<A, E, R>,
  code: string,
  details?: unknown
) {
  const error = yield* Effect.flip(request)
  if (!isApiError(error)) return yield* Effect.die(error)
  assert.strictEqual(error.code, code, error.message)
  assertDetails(error, details)
  return error
})
