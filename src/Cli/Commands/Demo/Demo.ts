import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Config, Console, Data, Effect, Layer, Option } from "effect"
import { HttpServer } from "effect/http"
import type { CallRequest } from "../../../Api/Calls/CallApi.ts"
import { sandboxOrigins } from "../../../Registrations.ts"
import { makeServer } from "../../../Server.ts"
import { DataDir } from "../../../Sql/DataDir.ts"
import { demoSettings } from "../../DemoSettings.ts"
import { launch } from "../../Launch.ts"
import { sandboxServiceAccount } from "../../Sandbox/SandboxServiceAccount.ts"
import { addHistory } from "./History.ts"
import { addConnectLink, addWebhook } from "./Neighbors.ts"
import { adminClient, callsOf, seed, signInLink, withConnection } from "./Seed.ts"
import { topQueries, transcript } from "./Transcript.ts"

class DemoFailed extends Data.TaggedError("DemoFailed")<{ readonly message: string; readonly cause: unknown }> {}

const inShortLines = (request: CallRequest) =>
  JSON.stringify(request).replaceAll(/,(?="(?:input|connection_id)")/g, ",\n      ")

const show = Effect.gen(function*() {
  const url = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
  const { features } = yield* (yield* adminClient(url)).status.read()
  if (features["webhooks"] === true) yield* addWebhook(url)
  const seeded = yield* seed(url)
  const { read_only_key, read_write_key } = seeded
  const { read, reader, write } = yield* callsOf(url, seeded)
  const { connections } = yield* reader.connections.list({ query: {} })
  const dataDir = yield* DataDir
  const { sandboxGuide } = yield* Effect.promise(() => import("../../Sandbox/SandboxGuide.ts"))
  const keyFile = yield* sandboxServiceAccount

  const link = Option.match(yield* signInLink(url), {
    onNone: () => "",
    onSome: (link) => `
This link opens the dashboard as an admin, once.
In a moment it has the calls of two months:
  ${link.url}
`
  })

  yield* Console.log(`OpenAccounts runs at ${url}
  documentation  ${url}/docs
  dashboard      ${url}/dashboard
${link}
Providers: the built-in sandbox. Nothing leaves this machine.
Data:      ${yield* dataDir.path("")}
A client, a key of each kind and ${connections.length} connection(s) are ready.
`)
  const response = yield* transcript({ read, write })
  const first = withConnection(seeded, topQueries)
  const sites = withConnection(seeded, { provider: "gsc", endpoint: "sites.list" })
  const connection = first.connection_id === undefined ? "" : ` --connection ${first.connection_id}`
  const isOwnToken = Option.isNone(yield* Config.option(Config.Redacted("ADMIN_TOKEN")))
  const adminToken = isOwnToken ? `\n  export ADMIN_TOKEN=$(cat ${yield* dataDir.path("admin-token")})` : ""
  const authorized = "-H \"Authorization: Bearer $OA_KEY\""
  yield* Console.log(`
The first call in full

POST /v1/call
${JSON.stringify(first, null, 2)}

${JSON.stringify(response, null, 2)}

Try it yourself:

  export OA_URL=${url}
  export OA_KEY=${read_only_key}
  curl -s $OA_URL/v1/call ${authorized} \\
    -d '${inShortLines(first)}'
  curl -s $OA_URL/v1/call ${authorized} \\
    -d '${inShortLines(sites)}'
  curl -s $OA_URL/v1/logs/${response.call_id} \\
    ${authorized}
  curl -s $OA_URL/v1/providers/gsc ${authorized}

This key reads. A key that also writes:
  ${read_write_key}

With the command line:

  export OA_URL=${url}
  export OA_KEY=${read_only_key}${adminToken}
  npx oa call ${topQueries.provider} ${topQueries.tool}${connection} \\
    --input '${JSON.stringify(topQueries.input)}'
  npx oa connection create gsc --label Mine \\
    --credentials @${keyFile}

${sandboxGuide(keyFile)}

Ctrl-C ends the demo.`)
  if (features["connect_links"] === true) yield* addConnectLink(url)
  yield* Effect.flatten(addHistory(url, seeded))
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
