import { Effect, FileSystem, Option, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import { Api } from "../../../Api/Api.ts"
import { adminListenerUrl } from "../../../Http/AdminListener.ts"
import { AdminToken } from "../../../Management/AdminToken.ts"
import { Sandbox } from "../../../Sandbox/Sandbox.ts"
import type { SandboxConnection } from "../../../Sandbox/Server/FakeProvider.ts"
import { DataDir } from "../../../Sql/DataDir.ts"

export const apiClient = (url: string, token: Redacted.Redacted) =>
  HttpApiClient.make(Api, {
    baseUrl: url,
    transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(token))
  })

type Admin = Effect.Success<ReturnType<typeof apiClient>>

/** The keys are kept, because the service shows them only once. */
const Seeded = Schema.Struct({
  client_id: Schema.String,
  read_only_key: Schema.String,
  read_write_key: Schema.String
})
type Seeded = typeof Seeded.Type
const SeededJson = Schema.fromJsonString(Seeded)

const email = "demo@example.com"

const create = Effect.fnUntraced(function*(admin: Admin): Effect.fn.Return<Seeded, unknown> {
  const { clients } = yield* admin.clients.list({ query: { limit: 200 } })
  const client = clients.find(({ name }) => name === "Demo") ??
    (yield* admin.clients.create({ payload: { name: "Demo" } }))
  const { members } = yield* admin.members.list({ query: { limit: 200 } })
  const member = members.find((member) => member.email === email) ??
    (yield* admin.members.create({ payload: { email, name: "Demo", client_ids: [client.id] } }))
  const readOnly = yield* admin.keys.create({ payload: { member_id: member.id, name: "Demo" } })
  const readWrite = yield* admin.keys.create({
    payload: { member_id: member.id, name: "Demo (writes)", access: "read_write" }
  })
  return { client_id: client.id, read_only_key: readOnly.key, read_write_key: readWrite.key }
})

const connect = Effect.fnUntraced(function*(admin: Admin, client_id: string, sandbox: SandboxConnection) {
  const { auth_type, credentials, provider } = sandbox
  const { connections } = yield* admin.managedConnections.list({ query: { provider, client_id, limit: 200 } })
  const [newest] = connections
  if (newest === undefined) {
    yield* admin.managedConnections.create({ payload: { ...sandbox, client_id } })
  } else if (connections.every(({ status }) => status !== "active")) {
    yield* admin.managedConnections.reconnect({ params: { id: newest.id }, payload: { auth_type, credentials } })
  }
})

export const seed = Effect.fnUntraced(function*(url: string) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* (yield* DataDir).path("demo.json")
  const { token } = yield* AdminToken
  const adminUrl = Option.getOrElse(yield* adminListenerUrl, () => url)
  const admin = yield* apiClient(adminUrl, Option.getOrThrow(token))

  const works = Effect.fnUntraced(function*(key: string) {
    const api = yield* apiClient(url, Redacted.make(key))
    return yield* Effect.isSuccess(api.connections.list({ query: {} }))
  })
  const earlier = yield* fs.readFileString(file).pipe(
    Effect.flatMap(Schema.decodeEffect(SeededJson)),
    Effect.option
  )
  const reusable = Option.isSome(earlier) && (yield* works(earlier.value.read_only_key)) &&
    (yield* works(earlier.value.read_write_key))
  const seeded = reusable ? earlier.value : yield* create(admin)
  if (!reusable) yield* fs.writeFileString(file, Schema.encodeSync(SeededJson)(seeded), { mode: 0o600 })
  for (const connection of (yield* Sandbox).connections) yield* connect(admin, seeded.client_id, connection)
  return seeded
})
