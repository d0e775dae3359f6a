import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Config, Console, Data, Effect, Layer, Option } from "effect"
import { HttpServer } from "effect/http"
import { sandboxOrigins } from "../../../Registrations.ts"
import { makeServer } from "../../../Server.ts"
import { DataDir } from "../../../Sql/DataDir.ts"
import { demoSettings } from "../../DemoSettings.ts"
import { launch } from "../../Launch.ts"
import { sandboxServiceAccount } from "../../Sandbox/SandboxServiceAccount.ts"
import { addHistory } from "./History.ts"
import { addConnectLink, addWebhook } from "./Neighbors.ts"
import { callsOf, seed, signInLink, withConnection } from "./Seed.ts"
import { topQueries, transcript } from "./Transcript.ts"

class DemoFailed extends Data.TaggedError("DemoFailed")<{ readonly message: string; readonly cause: unknown }> {}

const show = Effect.gen(function*() {
  const url = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
  yield* addWebhook(url)
  const seeded = yield* seed(url)
  const { read_only_key, read_write_key } = seeded
  const { read, reader, write } = yield* callsOf(url, seeded)
  const { connections } = yield* reader.connections.list({ query: {} })
  const dataDir = yield* DataDir
  const { sandboxGuide } = yield* Effect.promise(() => import("../../Sandbox/SandboxGuide.ts"))
  const keyFile = yield* sandboxServiceAccount

  yield* Console.log(`OpenAccounts runs at ${url} on the built-in sandbox. Nothing leaves this machine.
Its data is in ${yield* dataDir.path("")}
A client, a key of each kind and ${connections.length} connection(s) are ready.
`)
  const response = yield* transcript({ read, write })
  const first = withConnection(seeded, topQueries)
  const request = JSON.stringify(first)
  const sites = JSON.stringify(withConnection(seeded, { provider: "gsc", endpoint: "sites.list" }))
  const connection = first.connection_id === undefined ? "" : ` --connection ${first.connection_id}`
  const isOwnToken = Option.isNone(yield* Config.option(Config.Redacted("ADMIN_TOKEN")))
  const adminToken = isOwnToken ? ` ADMIN_TOKEN=$(cat ${yield* dataDir.path("admin-token")})` : ""
  yield* Console.log(`
The first call in full

POST /v1/call ${request}
${JSON.stringify(response, null, 2)}

Try it yourself:

  export OA_KEY=${read_only_key}
  curl -s ${url}/v1/call -H "Authorization: Bearer $OA_KEY" -d '${request}'
  curl -s ${url}/v1/call -H "Authorization: Bearer $OA_KEY" -d '${sites}'
  curl -s ${url}/v1/logs/${response.call_id} -H "Authorization: Bearer $OA_KEY"
  curl -s ${url}/v1/providers/gsc -H "Authorization: Bearer $OA_KEY"

This key reads. A key that also writes: ${read_write_key}

With the command line:

  export OA_URL=${url} OA_KEY=${read_only_key}${adminToken}
  npx oa call ${topQueries.provider} ${topQueries.tool} --input '${JSON.stringify(topQueries.input)}'${connection}
  npx oa connection create gsc --label Mine --credentials @${keyFile}

${sandboxGuide(keyFile)}

API documentation: ${url}/docs
Ctrl-C ends the demo.`)
  yield* addConnectLink(url)
  const addEarlier = yield* addHistory(url, seeded)
  yield* Console.log(`
The dashboard, with the calls of two months. The link signs you in as an admin, once:
  ${(yield* signInLink(url)).url}`)
  yield* addEarlier
})

const demoFailed = (cause: unknown) =>
  new DemoFailed({
    message: "The demo could not make its first calls. Delete its data folder, or look at the log above",
    cause
  })

export const startDemo = launch(
  Layer.effectDiscard(Effect.mapError(show, demoFailed)).pipe(
    Layer.provide(NodeHttpClient.layerUndici),
    Layer.provide(makeServer({ origins: sandboxOrigins() })),
    Layer.provide(demoSettings)
  )
)
