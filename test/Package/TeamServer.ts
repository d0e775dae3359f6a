import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer, Option, Schema } from "effect"
import { HttpServer } from "effect/http"
import {
  Cache,
  configuredOrigins,
  endpoint,
  header,
  makeServer,
  type Provider,
  ProviderClient,
  registrations,
  tool
} from "openaccounts"

const notesList = endpoint({
  id: "notes.list",
  description: "Lists the notes.",
  method: "GET",
  origin: { id: "notes", setting: "NOTES_BASE_URL", url: "https://api.notes.example" },
  path: "/v1/notes",
  writes: false,
  scopes: [],
  input: Schema.Struct({})
})

const notes: Provider = {
  id: "notes",
  name: "Notes",
  authentication: { api_key: header("x-notes-key") },
  scopes: { read: [], write: [] },
  endpoints: [notesList],
  tools: [tool({
    name: "notes_count",
    description: "The number of notes.",
    writes: false,
    input: Schema.Struct({}),
    output: Schema.Struct({ count: Schema.Finite }),
    run: (_, provider) =>
      Effect.map(provider.call(notesList, {}, Schema.Array(Schema.String)), ({ length }) => ({ count: length }))
  })],
  classify: ({ status }) => status < 300 ? "ok" : "error",
  errorMessage: () => undefined
}

const noCache = Layer.succeed(Cache, {
  get: () => Effect.succeed(Option.none()),
  put: () => Effect.void,
  drop: () => Effect.void,
  droppedSince: () => Effect.succeed(false),
  dropOutdated: Effect.void
})

const providers = [...registrations, { provider: notes }]

const server = makeServer({
  origins: configuredOrigins(providers),
  providers,
  services: { Cache: noCache, ProviderClient: ProviderClient.layerTest(() => Effect.succeed(["Buy milk", "Call Ada"])) }
})

const report = Layer.effectDiscard(
  Effect.flatMap(HttpServer.HttpServer, ({ address }) => Console.log(`listens on ${HttpServer.formatAddress(address)}`))
)

NodeRuntime.runMain(Layer.launch(Layer.provide(report, server)))
