import { Effect, FileSystem, Option, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import type { CallRequest } from "../../../Api/Calls/CallApi.ts"
import type { NewMember } from "../../../Domain/Member.ts"
import { Api } from "../../../Features/Contracts.ts"
import { adminListenerUrl } from "../../../Http/Server/Listeners/AdminListener.ts"
import { AdminToken } from "../../../Management/AdminToken.ts"
import { company } from "../../../Sandbox/Data/Company.ts"
import { Sandbox } from "../../../Sandbox/Sandbox.ts"
import type { SandboxConnection } from "../../../Sandbox/Server/FakeProvider.ts"
import { DataDir } from "../../../Sql/DataDir.ts"

export const apiClient = (url: string, token: Redacted.Redacted) =>
  HttpApiClient.make(Api, {
    baseUrl: url,
    transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(token))
  })

export type ApiClient = Effect.Success<ReturnType<typeof apiClient>>

const Seeded = Schema.Struct({
  client_id: Schema.String,
  read_only_key: Schema.String,
  read_write_key: Schema.String
})
type Seeded = typeof Seeded.Type
const SeededJson = Schema.fromJsonString(Seeded)

export const findClient = Effect.fnUntraced(function*(admin: ApiClient, name: string) {
  const { clients } = yield* admin.clients.list({ query: { limit: 200 } })
  return clients.find((client) => client.name === name) ?? (yield* admin.clients.create({ payload: { name } }))
})
export const findMember = Effect.fnUntraced(function*(admin: ApiClient, payload: NewMember) {
  const { members } = yield* admin.members.list({ query: { limit: 200 } })
  return members.find(({ email }) => email === payload.email) ?? (yield* admin.members.create({ payload }))
})

const create = Effect.fnUntraced(function*(admin: ApiClient): Effect.fn.Return<Seeded, unknown> {
  const client = yield* findClient(admin, company.name)
  const member = yield* findMember(admin, { email: "demo@example.com", name: "Demo", client_ids: [client.id] })
  const readOnly = yield* admin.keys.create({ payload: { member_id: member.id, name: "Weekly report" } })
  const readWrite = yield* admin.keys.create({
    payload: { member_id: member.id, name: "Lead import", access: "read_write" }
  })
  return { client_id: client.id, read_only_key: readOnly.key, read_write_key: readWrite.key }
})

/** Returns the connection, if calls have to name it: a customer may have connected other accounts to the same client. */
const connect = Effect.fnUntraced(function*(admin: ApiClient, client_id: string, sandbox: SandboxConnection) {
  const { auth_type, credentials, provider } = sandbox
  const { connections } = yield* admin.managedConnections.list({ query: { provider, client_id, limit: 200 } })
  const oldest = connections.at(-1)
  if (oldest === undefined) {
    yield* admin.managedConnections.create({ payload: { ...sandbox, client_id } })
    return []
  }
  if (oldest.status !== "active") {
    yield* admin.managedConnections.reconnect({ params: { id: oldest.id }, payload: { auth_type, credentials } })
  }
  return connections.some(({ id, status }) => id !== oldest.id && status === "active") ? [oldest] : []
})

export const adminClient = Effect.fnUntraced(function*(url: string) {
  const { token } = yield* AdminToken
  return yield* apiClient(Option.getOrElse(yield* adminListenerUrl, () => url), Option.getOrThrow(token))
})

export const seed = Effect.fnUntraced(function*(url: string) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* (yield* DataDir).path("demo.json")
  const admin = yield* adminClient(url)

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
  const { connections } = yield* Sandbox
  const named = yield* Effect.forEach(connections, (connection) => connect(admin, seeded.client_id, connection))
  return { ...seeded, named: named.flat() }
})

export type SeededDemo = Effect.Success<ReturnType<typeof seed>>

/** Names the connection where the client has several. */
export const withConnection = ({ named }: Pick<SeededDemo, "named">, request: CallRequest): CallRequest => {
  const connection = named.find(({ provider }) => provider === request.provider)
  return connection === undefined ? request : { ...request, connection_id: connection.id }
}

/** Calls with the demo's keys. */
export const callsOf = Effect.fnUntraced(function*(url: string, seeded: SeededDemo) {
  const reader = yield* apiClient(url, Redacted.make(seeded.read_only_key))
  const writer = yield* apiClient(url, Redacted.make(seeded.read_write_key))
  return {
    reader,
    writer,
    read: (request: CallRequest) => reader.call.call({ payload: withConnection(seeded, request) }),
    write: (request: CallRequest) => writer.call.call({ payload: withConnection(seeded, request) })
  }
})

export type DemoCalls = Effect.Success<ReturnType<typeof callsOf>>

/** None where the service has no sign-in. */
export const signInLink = Effect.fnUntraced(function*(url: string) {
  const admin = yield* adminClient(url)
  const { features } = yield* admin.status.read()
  if (features["sign_in"] !== true) return Option.none()
  const { id } = yield* findMember(admin, { email: "admin@example.com", name: "Ada Fern", role: "admin" })
  return Option.some(yield* admin.memberLinks.create({ params: { id } }))
})
