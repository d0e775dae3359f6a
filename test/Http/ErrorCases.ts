import { Effect } from "effect"
import type { Answer } from "../support/Answer.ts"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { keyFor, type Seed, TestServer } from "../support/TestServer.ts"
import { clearRange, sitesGet, sitesList } from "./Fixture.ts"

export const maxRequestBytes = 20_000

export const unknownConnection = "con_00000000000000000000000000"

export const googleError = (code: number, status: string, reason: string) => ({
  error: { code, message: `It is ${reason}`, status, errors: [{ message: reason, domain: "global", reason }] }
})

export const replyWith = (status: number, body: unknown, headers = {}): Handler => () => ({ status, body, headers })

export const tokenEndpoint = (token: Handler, api: Handler): Handler => (request) =>
  request.url.startsWith("/googleToken") ? token(request) : api(request)

const dropConnection: Handler = () => (response) => response.destroy()

interface ErrorCase {
  readonly when: string
  readonly status: number
  readonly code: string
  readonly details?: unknown
  readonly provoke: (seeded: Seed) => Effect.Effect<Answer, never, TestServer | LoopbackUpstream>
  /** What the log has of the call. */
  readonly log: "nothing" | "operation" | "connection"
}

const call = (body: unknown) => ({ readOnly }: Seed) =>
  Effect.flatMap(TestServer, (server) => server.call(readOnly, body))

type Row = readonly [when: string, status: number, code: string]

const beforeConnection = ([when, status, code]: Row, body: unknown, details?: unknown): ErrorCase => ({
  when,
  status,
  code,
  details,
  provoke: call(body),
  log: "operation"
})

const atProvider = ([when, status, code]: Row, handler: Handler, details?: unknown): ErrorCase => ({
  when,
  status,
  code,
  details,
  provoke: (seeded) =>
    Effect.gen(function*() {
      ;(yield* LoopbackUpstream).handle(handler)
      return yield* call(sitesGet)(seeded)
    }),
  log: "connection"
})

const denied = googleError(403, "PERMISSION_DENIED", "insufficientPermissions")
const missing = googleError(404, "NOT_FOUND", "notFound")
const unknownField =
  "Unknown field: the nearest are `max_age`, `format`, `provider` and 7 more; fields of the operation belong in `input`"

export const errorCases: ReadonlyArray<ErrorCase> = [
  {
    when: "the body is not JSON",
    status: 400,
    code: "invalid_json",
    provoke: ({ readOnly: key }) =>
      Effect.flatMap(TestServer, (server) => server.request("POST", "/v1/call", { key, rawBody: "{\"provider\":" })),
    log: "nothing"
  },
  {
    when: "the body is larger than the service accepts",
    status: 413,
    code: "payload_too_large",
    provoke: call({ ...sitesList, input: { query: { quotaUser: "x".repeat(maxRequestBytes) } } }),
    log: "nothing"
  },
  beforeConnection(["the body has an unknown field", 400, "invalid_input"], { ...sitesList, "max-age": 60 }, [
    { path: ["max-age"], message: unknownField }
  ]),
  beforeConnection(["the input lacks a field", 400, "invalid_input"], { provider: "gsc", endpoint: "sites.get" }, [
    { path: ["input", "path"], message: "Required" }
  ]),
  beforeConnection(["the provider is unknown", 404, "provider_not_found"], { ...sitesList, provider: "GSC" }),
  beforeConnection(["the endpoint is unknown", 404, "endpoint_not_found"], { ...sitesList, endpoint: "sites.delete" }),
  beforeConnection(["the tool is unknown", 404, "tool_not_found"], { provider: "gsc", tool: "sites.list" }),
  beforeConnection(["the named connection is unknown", 404, "connection_not_found"], {
    ...sitesList,
    connection_id: unknownConnection
  }),
  beforeConnection(["no connection of the provider is visible", 404, "connection_not_found"], {
    provider: "ga4",
    endpoint: "accountSummaries.list"
  }),
  beforeConnection(["a read-only key calls an endpoint that writes", 403, "read_only"], clearRange),
  {
    when: "the named connection is revoked",
    status: 409,
    code: "connection_inactive",
    provoke: (seeded) =>
      Effect.gen(function*() {
        const server = yield* TestServer
        ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
        yield* Effect.orDie(server.admin.managedConnections.revoke({ params: { id: seeded.connection.id } }))
        return yield* call({ ...sitesList, connection_id: seeded.connection.id })(seeded)
      }),
    log: "connection"
  },
  {
    when: "a key calls for a resource outside of those that it allows",
    status: 404,
    code: "resource_not_found",
    provoke: (seeded) =>
      Effect.flatMap(
        keyFor(seeded.member, { resources: ["gsc:https://acme.com/"] }),
        (readOnly) => call(sitesGet)({ ...seeded, readOnly })
      ),
    details: { resource: "gsc:sc-domain:example.com" },
    log: "connection"
  },
  atProvider(
    ["the provider refuses the token, and the refreshed one too", 401, "credentials_expired"],
    tokenEndpoint(
      replyWith(200, { access_token: "ya29.another-0123456789", expires_in: 3599 }),
      replyWith(401, googleError(401, "UNAUTHENTICATED", "authError"))
    )
  ),
  atProvider(["the granted scopes do not suffice", 502, "credentials_rejected"], replyWith(403, denied), denied),
  atProvider(["the provider answers with an error", 404, "upstream_error"], replyWith(404, missing), missing),
  atProvider(["the provider's error is not JSON", 500, "upstream_error"], replyWith(500, "<h1>Oh</h1>"), {
    body: "<h1>Oh</h1>"
  }),
  atProvider(
    ["the provider answers with a status of no class", 502, "upstream_error"],
    replyWith(999, missing),
    missing
  ),
  atProvider(["the provider answers with a redirect", 502, "upstream_error"], replyWith(302, "", { location: "/x" }), {
    body: ""
  }),
  atProvider(["the provider closes the connection", 502, "upstream_unreachable"], dropConnection),
  atProvider(["the provider's answer is not JSON", 502, "upstream_unreachable"], replyWith(200, "<h1>Hello</h1>"))
]
