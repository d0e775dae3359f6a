import { assert, type Vitest } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { copyFile, cp, readdir, readFile, writeFile } from "node:fs/promises"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { apiClient } from "../support/ApiClient.ts"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { Installed } from "./Installed.ts"
import { json, makeNotesApi } from "./NotesApi.ts"

const root = join(import.meta.dirname, "../..")
const teamFolder = join(import.meta.dirname, "Team")

const consumer = {
  compilerOptions: {
    target: "esnext",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
    skipLibCheck: false
  },
  include: ["*.ts"]
}

export const copyTeamFiles = Effect.gen(function*() {
  const { folder } = yield* Installed
  const names = yield* Effect.promise(() => readdir(teamFolder))
  for (const name of names) yield* Effect.promise(() => copyFile(join(teamFolder, name), join(folder, name)))
  return names
})

const [k1, k2] = ["k1", "k2"].map((id, byte) => `${id}:${Buffer.alloc(32, byte).toString("base64")}`)

const adminToken = "a".repeat(32)

const secret = "nk-canary-0123456789"

const makeTeamService = Effect.gen(function*() {
  yield* copyTeamFiles
  const { run, start } = yield* Installed
  const notesApi = yield* makeNotesApi
  const folder = yield* dataFolder
  const [cacheFolder, logFile] = [join(folder, "team-cache"), join(folder, "team-log")]

  const startWith = Effect.fnUntraced(function*(encryptionKeys: string) {
    const { printed, stop } = yield* start(process.execPath, ["--liftoff-only", "TeamServer.ts"], {
      PORT: "0",
      DATA_DIR: folder,
      ADMIN_TOKEN: adminToken,
      ENCRYPTION_KEYS: encryptionKeys,
      NOTES_BASE_URL: notesApi.url,
      CACHE_FOLDER: cacheFolder,
      LOG_FILE: logFile
    })
    const [, url = ""] = yield* printed(/listens on (http:\S+)/)
    return {
      admin: apiClient(url, adminToken),
      /** The lines that `NotesScript.ts` prints. */
      script: (key: string, ...calls: ReadonlyArray<string>) =>
        Effect.map(run(process.execPath, ["NotesScript.ts", url, key, ...calls]), ({ stderr, stdout }) => {
          assert.strictEqual(stderr, "")
          return stdout.trim().split("\n")
        }),
      stop
    }
  })

  return { cacheFolder, logFile, notesApi, startWith }
})

type TeamServer = Effect.Success<ReturnType<Effect.Success<typeof makeTeamService>["startWith"]>>

const createCaller = Effect.fnUntraced(function*({ admin }: TeamServer) {
  const { id: member_id } = yield* admin.members.create({ payload: { email: "a@example.com", client_ids: null } })
  const { key } = yield* admin.keys.create({ payload: { member_id, name: "a", access: "read_write" } })
  yield* admin.managedConnections.create({
    payload: { provider: "notes", auth_type: "api_key", label: "Notes", credentials: { api_key: secret } }
  })
  return key
})

const filesIn = (folder: string) =>
  Effect.promise(async () => {
    const names = await readdir(folder)
    return Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))
  })

export const teamService = (it: Vitest.MethodsNonLive<Installed>) => {
  it.effect("lets a team write a provider, a cache, a log, clients and scripts in files of less than 120 lines", () =>
    Effect.gen(function*() {
      const { folder, run } = yield* Installed
      for (const name of yield* copyTeamFiles) {
        const lines = (yield* Effect.promise(() => readFile(join(folder, name), "utf8"))).split("\n")
        assert.isBelow(lines.length, 120, name)
      }
      yield* Effect.promise(() => writeFile(join(folder, "tsconfig.json"), JSON.stringify(consumer)))
      const tsc = join(root, "node_modules/.bin/tsc")
      const checked = yield* run(tsc, ["--checkers", "1", "--project", folder], { GOGC: "400" })
      assert.deepStrictEqual(checked, { exitCode: 0, stdout: "", stderr: "" })
    }))

  it.effect("serves a team's provider through its own client, and counts and redacts the calls in its own log", () =>
    Effect.gen(function*() {
      const { logFile, notesApi, startWith } = yield* makeTeamService
      const server = yield* startWith(`${k1}`)
      const key = yield* createCaller(server)
      const script = (...calls: ReadonlyArray<string>) => server.script(key, ...calls)

      assert.deepStrictEqual(yield* script("count", "list", "list"), ["2", "new", "cached"])

      // The connection breaks after the request was sent.
      const broken = notesApi.replying((response) => response.destroy(), script("update:broken"))
      assert.deepStrictEqual(yield* broken, ["upstream_unreachable"])
      assert.deepStrictEqual(yield* script("update:broken"), ["outcome_unknown"])

      // Nothing was sent, so the key is free again.
      assert.deepStrictEqual(yield* notesApi.whileClosed(script("update:refused")), ["upstream_unreachable"])
      assert.deepStrictEqual(yield* script("update:refused"), ["written"])

      // The client of the team sends one request at a time.
      const held = yield* Deferred.make<ServerResponse>()
      const limited = notesApi.replying(
        (response) => Deferred.doneUnsafe(held, Effect.succeed(response)),
        Effect.gen(function*() {
          const first = yield* Effect.forkChild(script("count"))
          const response = yield* Deferred.await(held)
          const second = yield* script("update:limited")
          json(response, { notes: [] })
          return [...(yield* Fiber.join(first)), ...second]
        })
      )
      assert.deepStrictEqual(yield* limited, ["0", "rate_limited"])
      assert.deepStrictEqual(yield* script("update:limited"), ["written"])

      const echo = notesApi.replying((response, key) => json(response, { notes: [key] }), script("list"))
      assert.deepStrictEqual(yield* echo, ["new"])
      const failing = notesApi.replying((response, key) => {
        response.writeHead(500, { "content-type": "application/json" }).end(JSON.stringify({ problem: `No ${key}` }))
      }, script("update:failing"))
      assert.deepStrictEqual(yield* failing, ["upstream_error"])

      const { buckets } = yield* server.admin.adminStats.read({ query: { group_by: "target" } })
      assert.deepStrictEqual(buckets.map(({ cached, calls, errors, group }) => [group, calls, errors, cached]), [
        ["raw:notes.list", 3, 0, 1],
        ["raw:notes.update", 7, 5, 0],
        ["tool:notes_count", 2, 0, 0]
      ])
      const { calls } = yield* server.admin.adminLogs.list({ query: { error_code: "outcome_unknown" } })
      assert.lengthOf(calls, 1)
      const logged = yield* Effect.promise(() => readFile(logFile, "utf8"))
      assert.include(logged, "No [redacted]")
      assert.include(logged, String.raw`\"notes\":[\"[redacted]\"]`)
      assert.notInclude(logged, secret)
      yield* server.stop
    }))

  it.effect("asks the provider again, after a key rotation, for a response that a team's cache cannot decrypt", () =>
    Effect.gen(function*() {
      const { cacheFolder, notesApi, startWith } = yield* makeTeamService
      const first = yield* startWith(`${k1}`)
      const key = yield* createCaller(first)
      assert.deepStrictEqual(yield* first.script(key, "list", "list"), ["new", "cached"])
      yield* first.stop
      const [stored = "", ...others] = yield* filesIn(cacheFolder)
      assert.deepStrictEqual(others, [])
      assert.include(stored, "\"encryptionKeyId\":\"k1\"")
      const copy = `${cacheFolder}-copy`
      yield* Effect.promise(() => cp(cacheFolder, copy, { recursive: true }))

      const second = yield* startWith(`${k2},${k1}`)
      assert.deepStrictEqual(yield* second.script(key, "list"), ["cached"])
      const { remaining } = yield* second.admin.encryption.rotate({ query: {} })
      assert.strictEqual(remaining, 0)
      assert.deepStrictEqual(yield* filesIn(cacheFolder), [])
      yield* second.stop

      // An instance with the earlier key stored a response after the rotation.
      yield* Effect.promise(() => cp(copy, cacheFolder, { recursive: true }))
      const third = yield* startWith(`${k2}`)
      assert.deepStrictEqual(yield* third.script(key, "list", "list"), ["new", "cached"])
      assert.lengthOf(notesApi.requests, 2)
      const { buckets } = yield* third.admin.adminStats.read({ query: {} })
      assert.deepStrictEqual(buckets.map(({ cached, calls }) => [calls, cached]), [[5, 3]])
      yield* third.stop
    }))
}
