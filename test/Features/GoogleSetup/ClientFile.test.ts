import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { google } from "../../../src/Providers/Google/IdentityProvider.ts"
import { readApplication } from "../../../src/Providers/OAuth/OAuth.ts"
import { SettingsSource } from "../../../src/SettingsSource.ts"
import { tempFolder } from "../../support/TempFolder.ts"

const client = { client_id: "1-a.apps.googleusercontent.com", client_secret: "GOCSPX-from-the-file" }

const read = Effect.fnUntraced(function*(file: unknown, settings: Readonly<Record<string, string>> = {}) {
  const path = join(yield* tempFolder, "client.json")
  yield* Effect.promise(() => writeFile(path, JSON.stringify(file)))
  const values = ConfigProvider.layer(ConfigProvider.fromUnknown({ GOOGLE_CLIENT_FILE: path, ...settings }))
  // The command line has a source, and the server that it starts has another one on it.
  const ofCommandLine = SettingsSource.pipe(Layer.provideMerge(Layer.merge(NodeServices.layer, values)))
  return yield* Effect.flatMap(readApplication(google), ({ application }) => application).pipe(
    Effect.provide(Layer.fresh(SettingsSource).pipe(Layer.provide(ofCommandLine)))
  )
})

describe("GOOGLE_CLIENT_FILE", () => {
  it.effect("has the id and the secret of a web client", () =>
    Effect.gen(function*() {
      const { client_id, client_secret } = yield* read({ web: { ...client, project_id: "acme" } })
      assert.deepStrictEqual([client_id, Redacted.value(client_secret)], [client.client_id, client.client_secret])
    }))

  const refused: ReadonlyArray<readonly [string, unknown, Readonly<Record<string, string>>, RegExp]> = [
    ["a Desktop client", { installed: client }, {}, /Desktop/],
    ["a key of a service account", { type: "service_account" }, {}, /GOOGLE_SERVICE_ACCOUNT_FILE/],
    [
      "GOOGLE_CLIENT_ID beside it",
      { web: client },
      { GOOGLE_CLIENT_ID: "1" },
      /GOOGLE_CLIENT_ID and GOOGLE_CLIENT_FILE/
    ],
    ["GOOGLE_CLIENT_SECRET beside it", { web: client }, { GOOGLE_CLIENT_SECRET: "1" }, /GOOGLE_CLIENT_SECRET and/]
  ]
  for (const [name, file, settings, message] of refused) {
    it.effect(`refuses ${name}`, () =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(read(file, settings))
        assert.match(JSON.stringify(error, ["message", "cause"]) + String(error), message)
      }))
  }
})
