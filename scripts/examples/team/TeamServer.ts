import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { configuredOrigins, makeServer, registrations } from "openaccounts"
import { FetchClient } from "./FetchClient.ts"
import { FileCache } from "./FileCache.ts"
import { FileLog } from "./FileLog.ts"
import { notes } from "./NotesProvider.ts"

const providers = [...registrations, { provider: notes }]

const server = makeServer({
  origins: configuredOrigins(providers),
  providers,
  services: { Cache: FileCache, CallLog: FileLog, ProviderClient: FetchClient }
})

const report = Layer.effectDiscard(
  Effect.flatMap(HttpServer.HttpServer, ({ address }) => Console.log(`listens on ${HttpServer.formatAddress(address)}`))
)

NodeRuntime.runMain(Layer.launch(Layer.provide(report, server)))
