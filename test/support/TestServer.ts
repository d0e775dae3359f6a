import { ConfigProvider, Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { rm } from "node:fs/promises"
import { AdminToken } from "../../src/Management/AdminToken.ts"
import { makeService, type ServerOptions } from "../../src/Server.ts"
import { copyTemplate } from "./DatabaseTemplate.ts"
import { LoopbackUpstream } from "./LoopbackUpstream.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // What came over the wire; tests look into it as they like.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any
}

export interface RequestOptions {
  readonly key?: string | undefined
  readonly body?: unknown
  /** Sent as it is, instead of `body` as JSON. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Record<string, string>
}

/** The folder of a server's data, a copy of the migrated template, removed at the end. */
export class TestDataDir extends Context.Service<TestDataDir, string>()("openaccounts/test/TestDataDir") {
  static readonly layer = Layer.effect(
    TestDataDir,
    Effect.acquireRelease(
      Effect.promise(copyTemplate),
      (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
    )
  )
}

/** The settings of a server under test. */
export const settings = (values: Readonly<Record<string, string>> = {}) =>
  Layer.unwrap(Effect.map(TestDataDir, (folder) =>
    ConfigProvider.layer(ConfigProvider.fromUnknown({
      DATA_DIR: folder,
      PORT: "0",
      GOOGLE_CLIENT_ID: "test-client-id",
      GOOGLE_CLIENT_SECRET: "GOCSPX-test-client-secret",
      SITESEARCH_CLIENT_ID: "test-sitesearch-id",
      SITESEARCH_CLIENT_SECRET: "test-sitesearch-secret",
      ...values
    }))))

/** The whole service over real HTTP on an ephemeral port, its providers at a `LoopbackUpstream`. */
export class TestServer extends Context.Service<TestServer, {
  readonly url: string
  readonly adminToken: string
  readonly request: (method: string, path: string, options?: RequestOptions) => Effect.Effect<Answer>
  /** As the operator; dies unless the answer is 2xx. */
  readonly admin: (method: string, path: string, body?: unknown) => Effect.Effect<Answer["json"]>
  readonly call: (key: string | undefined, body: unknown) => Effect.Effect<Answer>
}>()("openaccounts/test/TestServer") {
  static readonly client = Layer.effect(
    TestServer,
    Effect.gen(function*() {
      const url = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
      const adminToken = Redacted.value(Option.getOrThrow((yield* AdminToken).token))

      const request = (method: string, path: string, { body, headers = {}, key, rawBody }: RequestOptions = {}) =>
        Effect.promise(async (): Promise<Answer> => {
          const response = await fetch(`${url}${path}`, {
            method,
            redirect: "manual",
            headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
            ...(rawBody === undefined && body === undefined ? {} : { body: rawBody ?? JSON.stringify(body) })
          })
          const text = await response.text()
          const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false
          return {
            status: response.status,
            headers: response.headers,
            text,
            json: isJson && text !== "" ? JSON.parse(text) : undefined
          }
        })

      return TestServer.of({
        url,
        adminToken,
        request,
        admin: (method, path, body) =>
          Effect.flatMap(
            request(method, `/admin/v1${path}`, { key: adminToken, body }),
            ({ json, status, text }) =>
              status < 300 ? Effect.succeed(json) : Effect.die(new Error(`${method} ${path}: ${status} ${text}`))
          ),
        call: (key, body) => request("POST", "/v1/call", { key, body })
      })
    })
  )

  /** In the data folder at hand. */
  static readonly on = <A, OE, OR, E = never>(
    options: ServerOptions<A, OE, OR, E>,
    values: Readonly<Record<string, string>> = {}
  ) =>
    TestServer.client.pipe(
      Layer.provideMerge(makeService(options)),
      Layer.provide(settings(values))
    )

  /** In a data folder of its own, its providers at a `LoopbackUpstream`. */
  static readonly make = <E = never>(
    values: Readonly<Record<string, string>> = {},
    options: Omit<ServerOptions<never, never, never, E>, "origins"> = {}
  ) =>
    TestServer.on(
      { ...options, origins: LoopbackUpstream.originsLayer.pipe(Layer.provideMerge(LoopbackUpstream.layer)) },
      values
    ).pipe(Layer.provideMerge(TestDataDir.layer))

  static readonly layer = TestServer.make()
}

let seeds = 0

/** A client of its own with a member limited to it, that member's keys, and a connection: what most tests begin with. */
export const seed = Effect.fnUntraced(function*(
  connection: {
    readonly provider?: string
    readonly auth_type?: string
    readonly credentials?: unknown
    readonly scopes?: ReadonlyArray<string>
  } = {}
) {
  const server = yield* TestServer
  const name = `seed-${++seeds}`
  const client = yield* server.admin("POST", "/clients", { name })
  const member = yield* server.admin("POST", "/members", { email: `${name}@example.com`, client_ids: [client.id] })
  const keyWith = (access: string) =>
    Effect.map(server.admin("POST", "/keys", { member_id: member.id, name, access }), ({ key }): string => key)
  const readOnly = yield* keyWith("read_only")
  const readWrite = yield* keyWith("read_write")
  const connect = (more: object = {}) =>
    server.admin("POST", "/connections", {
      provider: "gsc",
      auth_type: "oauth",
      credentials: freshGrant(name),
      client_id: client.id,
      label: name,
      ...connection,
      ...more
    })
  return { name, client, member, readOnly, readWrite, connect, connection: yield* connect() }
})

/** A grant whose access token is good for a long time. */
export const freshGrant = (name: string) => ({
  refresh_token: `1//refresh-${name}-0123456789`,
  access_token: `ya29.access-${name}-0123456789`,
  expires_at: "2099-01-01T00:00:00Z"
})

export const expiredGrant = (name: string) => ({ ...freshGrant(name), expires_at: "2020-01-01T00:00:00Z" })
