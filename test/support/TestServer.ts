import { ConfigProvider, Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import * as undici from "undici"
import type { NewApiKey } from "../../src/Domain/Access/ApiKey.ts"
import type { CreateConnection } from "../../src/Domain/Connection.ts"
import { Sessions } from "../../src/Features/SignIn/Sessions.ts"
import { AdminToken } from "../../src/Management/AdminToken.ts"
import { makeService, type ServerOptions } from "../../src/Server.ts"
import type { Answer } from "./Answer.ts"
import { type ApiClient, apiClient } from "./ApiClient.ts"
import { copyTemplate, removeCopy } from "./DatabaseTemplate.ts"
import { LoopbackUpstream } from "./LoopbackUpstream.ts"
import { shared } from "./Shared.ts"

export interface RequestOptions {
  readonly key?: string | undefined
  readonly body?: unknown
  /** Sent unchanged, instead of `body` as JSON. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Record<string, string>
}

export class TestDataDir extends Context.Service<TestDataDir, string>()("openaccounts/test/TestDataDir") {
  static readonly layer = Layer.effect(TestDataDir, Effect.acquireRelease(Effect.sync(copyTemplate), removeCopy))
}

export const settings = (values: Readonly<Record<string, string>> = {}) =>
  Layer.unwrap(Effect.map(TestDataDir, (folder) =>
    ConfigProvider.layer(ConfigProvider.fromUnknown({
      DATA_DIR: folder,
      PORT: "0",
      GOOGLE_CLIENT_ID: "test-client-id",
      GOOGLE_CLIENT_SECRET: "GOCSPX-test-client-secret",
      SITESEARCH_CLIENT_ID: "test-sitesearch-id",
      SITESEARCH_CLIENT_SECRET: "test-sitesearch-secret",
      // Tests of quotas turn them on.
      QUOTAS: "off",
      ...values
    }))))

/** The service over HTTP on an ephemeral port. Its providers are at a `LoopbackUpstream`. */
export class TestServer extends Context.Service<TestServer, {
  readonly url: string
  /** Empty without an admin token. */
  readonly adminToken: string
  readonly api: (key?: string) => ApiClient
  readonly admin: ApiClient
  readonly request: (method: string, path: string, options?: RequestOptions) => Effect.Effect<Answer>
  readonly call: (key: string | undefined, body: unknown) => Effect.Effect<Answer>
}>()("openaccounts/test/TestServer") {
  static readonly client = Layer.effect(
    TestServer,
    Effect.gen(function*() {
      const url = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
      const { token } = yield* AdminToken
      return TestServer.at(url, Option.match(token, { onNone: () => "", onSome: Redacted.value }))
    })
  )

  static readonly at = (url: string, adminToken: string) => {
    const request = (method: string, path: string, { body, headers = {}, key, rawBody }: RequestOptions = {}) =>
      Effect.promise(async (): Promise<Answer> => {
        // Takes a third of the CPU time of `fetch`.
        const response = await undici.request(`${url}${path}`, {
          method,
          headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
          ...(rawBody === undefined && body === undefined ? {} : { body: rawBody ?? JSON.stringify(body) })
        })
        const received = new Headers()
        for (const [name, value = []] of Object.entries(response.headers)) {
          for (const each of [value].flat()) received.append(name, each)
        }
        const text = await response.body.text()
        const isJson = received.get("content-type")?.startsWith("application/json") ?? false
        return {
          status: response.statusCode,
          headers: received,
          text,
          json: isJson && text !== "" ? JSON.parse(text) : undefined,
          callId: received.get("x-call-id") ?? ""
        }
      })

    return TestServer.of({
      url,
      adminToken,
      api: (key) => apiClient(url, key),
      admin: apiClient(url, adminToken),
      request,
      call: (key, body) => request("POST", "/v1/call", { key, body })
    })
  }

  static readonly on = <A, OE, OR, E = never>(
    options: ServerOptions<A, OE, OR, E>,
    values: Readonly<Record<string, string>> = {}
  ) =>
    TestServer.client.pipe(
      Layer.provideMerge(Sessions.layer),
      Layer.provideMerge(makeService(options)),
      Layer.provide(settings(values))
    )

  /** A server of the test's own, for tests of what a whole service has in common. */
  static readonly make = <E = never>(
    values: Readonly<Record<string, string>> = {},
    options: Omit<ServerOptions<never, never, never, E>, "origins"> = {}
  ) =>
    TestServer.on(
      { ...options, origins: LoopbackUpstream.originsLayer.pipe(Layer.provideMerge(LoopbackUpstream.layer)) },
      values
    ).pipe(Layer.provideMerge(TestDataDir.layer))

  /** The server that the test files of a worker share. */
  static readonly layer = shared(TestServer.make())
}

/** A new key of the member, which reads unless `rights` say more. */
export const keyFor = Effect.fnUntraced(function*(member: { readonly id: string }, rights: Partial<NewApiKey> = {}) {
  const { admin } = yield* TestServer
  return (yield* admin.keys.create({ payload: { member_id: member.id, name: "key", ...rights } })).key
}, Effect.orDie)

let seeds = 0

export const seed = (connection: Partial<CreateConnection> = {}) => Effect.orDie(makeSeed(connection))
export type Seed = Effect.Success<ReturnType<typeof seed>>

const makeSeed = Effect.fnUntraced(function*(connection: Partial<CreateConnection>) {
  const { admin, api } = yield* TestServer
  const name = `seed-${++seeds}`
  const client = yield* admin.clients.create({ payload: { name } })
  const member = yield* admin.members.create({ payload: { email: `${name}@example.com`, client_ids: [client.id] } })
  const readOnly = yield* keyFor(member, { name })
  const readWrite = yield* keyFor(member, { name, access: "read_write" })
  const connect = (overrides: Partial<CreateConnection> = {}) =>
    admin.managedConnections.create({
      payload: {
        provider: "gsc",
        auth_type: "oauth",
        credentials: freshGrant(name),
        client_id: client.id,
        label: name,
        ...connection,
        ...overrides
      }
    }).pipe(Effect.orDie)
  return {
    name,
    client,
    member,
    readOnly,
    readWrite,
    reader: api(readOnly),
    writer: api(readWrite),
    connect,
    connection: yield* connect()
  }
})

export const bySitesearchKey = {
  provider: "sitesearch",
  auth_type: "api_key",
  credentials: { api_key: "0123456789abcdef" }
} as const

export const freshGrant = (name: string) => ({
  refresh_token: `1//refresh-${name}-0123456789`,
  access_token: `ya29.access-${name}-0123456789`,
  expires_at: "2099-01-01T00:00:00Z"
})

export const expiredGrant = (name: string) => ({ ...freshGrant(name), expires_at: "2020-01-01T00:00:00Z" })
