import { Effect, Layer, Option, Redacted, Semaphore } from "effect"
import {
  bearer,
  classifyResponse,
  CredentialsExpired,
  endpointUrl,
  JsonText,
  Origins,
  ProviderClient,
  type ProviderRequest,
  RateLimited,
  type RequestAuthentication,
  UpstreamUnreachable,
  upstreamUrl
} from "openaccounts"

/** Sends requests with Node's `fetch`, one at a time. Refreshes no tokens. */
export const FetchClient = Layer.effect(
  ProviderClient,
  Effect.gen(function*() {
    const originUrl = yield* Origins
    const oneAtATime = yield* Semaphore.make(1)

    const send = ({ access, endpoint, input, provider }: ProviderRequest, secret: Redacted.Redacted) => {
      const { origin, path } = endpointUrl(upstreamUrl(originUrl(endpoint.origin)), endpoint.path, input)
      const url = new URL(origin + path)
      const headers = new Headers({ "content-type": "application/json" })
      authenticate(provider.authentication[access.authType] ?? bearer, Redacted.value(secret), url, headers)
      return Effect.tryPromise({
        try: async (signal) => {
          const body = endpoint.method === "GET" ? null : JSON.stringify(input.body ?? {})
          const response = await fetch(url, { method: endpoint.method, headers, body, signal })
          const text = await response.text()
          return { status: response.status, headers: Object.fromEntries(response.headers), text, json: parse(text) }
        },
        // After a refused connection, a write may be repeated with the same Idempotency-Key.
        catch: (cause) => new UpstreamUnreachable({ wasSent: !isRefused(cause), cause })
      })
    }

    return ProviderClient.of({
      call: Effect.fn("FetchClient.call")(function*(request) {
        const { access, provider } = request
        const secret = yield* access.secret
        const response = yield* oneAtATime.withPermitsIfAvailable(1)(send(request, secret))
        if (Option.isNone(response)) {
          return yield* new RateLimited({
            message: "Another request is under way.",
            details: { limited_by: "capacity", retry_after_seconds: 1 }
          })
        }
        // Removes the secret from the body.
        return yield* classifyResponse(response.value, provider, access.authType, secret).pipe(
          Effect.catchTag("Unauthorized", () => Effect.andThen(access.expire, Effect.fail(new CredentialsExpired())))
        )
      })
    })
  })
)

const authenticate = (authentication: RequestAuthentication, secret: string, url: URL, headers: Headers): void => {
  switch (authentication._tag) {
    case "Bearer":
      return headers.set("authorization", `Bearer ${secret}`)
    case "Header":
      return headers.set(authentication.name, secret)
    case "QueryParameter":
      return url.searchParams.set(authentication.name, secret)
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof TypeError && error.cause instanceof Error && "code" in error.cause &&
  error.cause.code === "ECONNREFUSED"

const parse = (text: string): JsonText | undefined => {
  try {
    JSON.parse(text)
    return JsonText.trusted(text)
  } catch {
    return undefined
  }
}
