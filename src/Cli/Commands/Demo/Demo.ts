import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { ConfigProvider, Console, Effect, Layer, Option, Redacted } from "effect"
import { Command } from "effect/cli"
import { HttpClient, HttpClientRequest, HttpServer } from "effect/http"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import { Api } from "../../../Api/Api.ts"
import { AdminToken } from "../../../Management/AdminToken.ts"
import { Sandbox } from "../../../Sandbox/Sandbox.ts"
import { makeServer, sandboxOrigins } from "../../../Server.ts"
import { restrictNewFiles } from "../../../Sql/DataDir.ts"
import { topQueries, transcript } from "./Transcript.ts"

const client = (url: string, token: Redacted.Redacted) =>
  HttpApiClient.make(Api, {
    baseUrl: url,
    transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(token))
  })

const seed = Effect.gen(function*() {
  const url = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
  const { token } = yield* AdminToken
  const { connections: sandboxConnections } = yield* Sandbox
  const admin = yield* client(url, Option.getOrThrow(token))

  const { clients } = yield* admin.clients.list({ query: {} })
  const demoClient = clients.find(({ name }) => name === "Demo") ??
    (yield* admin.clients.create({ payload: { name: "Demo" } }))
  const { members } = yield* admin.members.list({ query: {} })
  const member = members.find(({ email }) => email === "demo@example.com") ??
    (yield* admin.members.create({ payload: { email: "demo@example.com", name: "Demo", client_ids: [demoClient.id] } }))
  const readOnly = yield* admin.keys.create({ payload: { member_id: member.id, name: "Demo" } })
  const readWrite = yield* admin.keys.create({
    payload: { member_id: member.id, name: "Demo (writes)", access: "read_write" }
  })
  for (const connection of sandboxConnections) {
    const { connections } = yield* admin.managedConnections.list({
      query: { provider: connection.provider, client_id: demoClient.id, status: "active" }
    })
    if (connections.length === 0) {
      yield* admin.managedConnections.create({ payload: { ...connection, client_id: demoClient.id } })
    }
  }
  return { url, key: readOnly.key, writingKey: readWrite.key }
})

const show = Effect.gen(function*() {
  const { key, url, writingKey } = yield* seed
  const reader = yield* client(url, Redacted.make(key))
  const writer = yield* client(url, Redacted.make(writingKey))
  const { connections } = yield* reader.connections.list({ query: {} })

  yield* Console.log(`OpenAccounts runs at ${url} on the built-in sandbox. Nothing leaves this machine.
A client, a member, a read-only key and ${connections.length} connection(s) are ready.
`)
  const response = yield* transcript({
    read: (payload) => reader.call.call({ payload }),
    write: (payload) => writer.call.call({ payload })
  })
  const request = JSON.stringify(topQueries)
  yield* Console.log(`
The first call in full

POST /v1/call ${request}
${JSON.stringify(response, null, 2)}

Try it yourself:

  export OA_KEY=${key}
  curl -s ${url}/v1/call -H "Authorization: Bearer $OA_KEY" -d '${request}'
  curl -s ${url}/v1/call -H "Authorization: Bearer $OA_KEY" -d '{"provider":"gsc","endpoint":"sites.list"}'
  curl -s ${url}/v1/logs/${response.call_id} -H "Authorization: Bearer $OA_KEY"
  curl -s ${url}/v1/providers/gsc -H "Authorization: Bearer $OA_KEY"

API documentation: ${url}/docs
Ctrl-C ends the demo.`)
})

const settings = ConfigProvider.layerAdd(ConfigProvider.fromUnknown({ DATA_DIR: "./.data/demo" }))

export const demo = Command.make(
  "demo",
  {},
  () =>
    Effect.andThen(
      restrictNewFiles,
      Layer.launch(
        Layer.effectDiscard(show).pipe(
          Layer.provide(NodeHttpClient.layerUndici),
          Layer.provide(makeServer({ origins: sandboxOrigins() })),
          Layer.provide(settings)
        )
      )
    )
).pipe(Command.withDescription("Start the server on the built-in sandbox and make a first call"))
