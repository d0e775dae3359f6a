import { assert, type Vitest } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Scope } from "effect"
import { randomBytes } from "node:crypto"
import type { ServerResponse } from "node:http"
import { Client } from "pg"
import { sitesList } from "../Http/Fixture.ts"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { RealPostgres } from "../support/RealPostgres.ts"
import { type ServerProcess, startServer } from "../support/ServerProcess.ts"
import { tempFolder } from "../support/TempFolder.ts"

const openDatabase = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  ).pipe(Effect.map((client) => (text: string, values: ReadonlyArray<unknown> = []) =>
    Effect.promise(async () => (await client.query<Record<string, unknown>>(text, [...values])).rows)
  ))

const makeInstances = Effect.gen(function*() {
  const scope = yield* Effect.scope
  const upstream = yield* LoopbackUpstream.make
  const url = Redacted.value(yield* (yield* RealPostgres).createDatabase)
  const settings = {
    DATABASE_URL: url,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    ADMIN_TOKEN: randomBytes(32).toString("base64url"),
    GSC_BASE_URL: `${upstream.url}/gsc`,
    GSHEETS_BASE_URL: `${upstream.url}/gsheets`,
    SITESEARCH_BASE_URL: `${upstream.url}/sitesearch`,
    GOOGLE_TOKEN_URL: `${upstream.url}/token`,
    GOOGLE_REVOKE_URL: `${upstream.url}/revoke`,
    GOOGLE_CLIENT_ID: "id",
    GOOGLE_CLIENT_SECRET: "secret",
    WEBHOOK_ALLOW_PRIVATE: "true",
    QUOTAS: "off",
    // The tests ask more often than a browser.
    RATE_LIMIT: "1000/second"
  }
  const folder = yield* dataFolder
  const startVictim = Effect.flatMap(tempFolder, (empty) => startServer(empty, settings)).pipe(Scope.provide(scope))
  const [survivor, first] = yield* Effect.all([startServer(folder, settings), startVictim], {
    concurrency: "unbounded"
  })
  let running: ServerProcess | undefined = first

  return {
    upstream,
    folder,
    survivor,
    /** The other instance, which is started again after it was killed. */
    victim: Effect.suspend(() =>
      running === undefined
        ? Effect.tap(startVictim, (victim) => Effect.sync(() => running = victim))
        : Effect.succeed(running)
    ),
    killVictim: Effect.gen(function*() {
      if (running === undefined) return
      yield* running.kill("SIGKILL")
      assert.strictEqual((yield* running.ended).signal, "SIGKILL", running.output())
      running = undefined
    }),
    seed: survivor.seed,
    openDatabase: openDatabase(url)
  }
})

/** Two instances on one database, of which the tests kill one. */
export class Instances extends Context.Service<Instances, Effect.Success<typeof makeInstances>>()(
  "openaccounts/test/Server/Instances"
) {
  static readonly layer = Layer.effect(Instances, makeInstances).pipe(Layer.provide(RealPostgres.layer))
}

export type KilledTests = (it: Vitest.MethodsNonLive<Instances>) => void

export const call = async (server: ServerProcess, key: string, body: unknown = sitesList) => {
  const { status, text } = await server.send("POST", "/v1/call", key, body)
  return { status, text, value: JSON.parse(text) }
}

/** `"lost"` where the instance dies before it answers. */
export const lost = (answer: Promise<unknown>) => answer.then(() => "answered", () => "lost")

export const reply = (response: ServerResponse | undefined, body: unknown, status = 200) =>
  response?.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
