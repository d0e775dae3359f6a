import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { Client } from "pg"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { OwnPostgres } from "../support/RealPostgres.ts"
import { here, startServer } from "../support/ServerProcess.ts"
import { answeredSecrets, externalSecrets, findSecrets } from "./Secrets.ts"
import { runSecretScenario, settings } from "./SecretScenario.ts"

const databasePassword = "canary-database-password-0123456789"

/** Appears everywhere and is not secret. A search that misses it proves nothing. */
const control = { control: "canary-label-oauth" }

const failures = [
  "unauthenticated invalid_json invalid_input provider_not_found connection_not_found connection_ambiguous",
  "connection_inactive credentials_expired credentials_rejected upstream_error upstream_unreachable",
  "internal_error call_not_found"
].flatMap((text) => text.split(" "))

const read = (file: string) => Effect.promise(() => readFile(file))

const filesIn = (folder: string) =>
  Effect.promise(async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    return Promise.all(files.map(async (file) => [file, (await stat(file)).mtimeMs] as const))
  })

type Scenario = Effect.Success<ReturnType<typeof runSecretScenario>>

/** Nothing is in the output and the traces, and the answers have what callers get and no more. */
const assertNothingLeaks = (
  secrets: Readonly<Record<string, string>>,
  run: Scenario,
  output: string,
  collector: LoopbackUpstream["Service"]
) => {
  assert.deepStrictEqual(failures.filter((code) => !run.codes.has(code)), [])
  assert.deepStrictEqual(findSecrets({ ...secrets, ...control, ...answeredSecrets }, run.answers()), [
    "control",
    ...Object.keys(answeredSecrets)
  ])
  assert.deepStrictEqual(findSecrets({ ...secrets, ...control }, output), [])
  const traces = collector.requests.map(({ body, url }) => `${url} ${body}`).join("\n")
  assert.deepStrictEqual(findSecrets({ ...secrets, control: "ProviderClient.call" }, traces), ["control"])
}

describe.concurrent("No secret leaks", () => {
  it.live("into answers, logs, output, traces or files, on the embedded database", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream.make
      const collector = yield* LoopbackUpstream.make
      collector.handle(() => ({ body: {} }))
      const folder = yield* dataFolder
      const before = new Map(yield* filesIn(folder))
      const environment = settings(upstream.url, collector.url)
      const first = yield* startServer(folder, environment)
      // By the contract only their owner can read these two files.
      const files = ["admin-token", "encryption-keys"]
      const [adminToken = "", encryptionKeys = ""] = yield* Effect.forEach(files, (name) =>
        Effect.map(read(join(folder, name)), (bytes) => bytes.toString().trim()))

      const run = yield* runSecretScenario(first, upstream, adminToken)
      yield* first.kill("SIGTERM")
      const outputs = [(yield* first.ended).output]

      const second = yield* startServer(folder, {
        ...environment,
        ENCRYPTION_KEYS: `k2:${externalSecrets.laterEncryptionKey}`
      })
      yield* run.useAgain(second)
      yield* run.readAll(second)
      yield* second.kill("SIGTERM")
      outputs.push((yield* second.ended).output)

      const secrets = {
        ...externalSecrets,
        ...run.made,
        adminToken,
        encryptionKey: encryptionKeys.replace(/^[^:]*:/, "")
      }
      assertNothingLeaks(secrets, run, outputs.join("\n"), collector)
      assert.include(outputs.join("\n"), "which is not in ENCRYPTION_KEYS")

      const stored = new Set<string>()
      for (const [file, changedAt] of yield* filesIn(folder)) {
        if (
          files.some((name) =>
            file === join(folder, name)
          )
        ) {
          assert.strictEqual((yield* Effect.promise(() => stat(file))).mode & 0o777, 0o600, file)
        } else if (before.get(file) !== changedAt) {
          const bytes = yield* read(file)
          // Database files end in zeros.
          const written = bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1)
          for (const name of findSecrets({ ...secrets, ...control, ...answeredSecrets }, written)) stored.add(name)
        }
      }
      assert.deepStrictEqual([...stored], ["control"])
      assert.strictEqual((yield* Effect.promise(() => stat(folder))).mode & 0o777, 0o700)
    }).pipe(Effect.scoped))

  it.live("into answers, logs, output, traces or rows, on a Postgres server, and no file is written", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream.make
      const collector = yield* LoopbackUpstream.make
      collector.handle(() => ({ body: {} }))
      const url = Redacted.value(yield* (yield* OwnPostgres).createDatabase)
      const database = new Client(url)
      yield* Effect.promise(() => database.connect())
      const query = (text: string) =>
        Effect.promise(async () => (await database.query<Record<string, string>>(text)).rows)
      yield* query(`CREATE ROLE canary SUPERUSER LOGIN PASSWORD '${databasePassword}'`)
      const folder = "/nonexistent/openaccounts"
      const server = yield* startServer(folder, {
        ...settings(upstream.url, collector.url),
        DATABASE_URL: url.replace("postgres:password", `canary:${databasePassword}`),
        ENCRYPTION_KEYS: `k1:${externalSecrets.encryptionKey}`,
        ADMIN_TOKEN: externalSecrets.adminToken
      }, {
        ...here,
        args: [
          "--permission",
          "--allow-fs-read=*",
          "--allow-worker",
          "--allow-child-process",
          "--allow-inspector",
          ...here.args
        ]
      })
      const run = yield* runSecretScenario(server, upstream, externalSecrets.adminToken)

      const rows: Array<string> = []
      for (const { name } of yield* query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'")) {
        rows.push(...(yield* query(`SELECT t::text AS row FROM "${name}" t`)).map(({ row }) => row ?? ""))
      }
      // A row shows bytes in hexadecimal.
      const [{ bytes = "" } = {}] = yield* query("SELECT encode('canary-label-oauth', 'hex') AS bytes")
      assert.deepStrictEqual(findSecrets(control, bytes), ["control"])

      yield* query("ALTER TABLE responses RENAME TO responses_gone")
      yield* query("ALTER TABLE connections RENAME COLUMN credentials TO credentials_gone")
      yield* run.useAgain(server)
      yield* Effect.promise(() => database.end())
      yield* server.kill("SIGTERM")
      const { output } = yield* server.ended

      const secrets = { ...externalSecrets, ...run.made, databasePassword }
      assertNothingLeaks(secrets, run, output, collector)
      assert.include(output, "A request failed inside the service")
      assert.deepStrictEqual(findSecrets({ ...secrets, ...control, ...answeredSecrets }, rows.join("\n")), ["control"])
      yield* Effect.promise(() => stat(folder).then(() => assert.fail("a folder"), () => {}))
    }).pipe(Effect.scoped, Effect.provide(OwnPostgres.layer)))
})
