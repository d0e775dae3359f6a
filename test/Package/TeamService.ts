import { assert, type Vitest } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import { copyFile, readdir, readFile, writeFile } from "node:fs/promises"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { freePort } from "../../scripts/FreePort.ts"
import { type ApiClient, apiClient } from "../support/ApiClient.ts"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { eventually } from "../support/Eventually.ts"
import { Installed } from "./Installed.ts"
import { json, makeNotesApi } from "./NotesApi.ts"

const root = join(import.meta.dirname, "../..")
const teamFolder = join(root, "scripts/examples/team")

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

/** The files of the guide, as they stand there. */
const writeGuideFiles = Effect.gen(function*() {
  const { folder } = yield* Installed
  yield* Effect.promise(async () => {
    const guide = await readFile(join(root, "docs/extending.md"), "utf8")
    const files = [...guide.matchAll(/^```ts\n\/\/ (\S+)\n([^]*?)^```$/gm)]
    assert.lengthOf(files, guide.split("```ts").length - 1)
    for (const [, name = "", text = ""] of files) await writeFile(join(folder, name), text)
    const feature = await readFile(join(root, "scripts/examples/Freezes.ts"), "utf8")
    await writeFile(join(folder, "Freezes.ts"), feature.replace("../../src/index.ts", "openaccounts"))
  })
})

export const copyTeamFiles = Effect.gen(function*() {
  const { folder } = yield* Installed
  const names = yield* Effect.promise(() => readdir(teamFolder))
  for (const name of names) yield* Effect.promise(() => copyFile(join(teamFolder, name), join(folder, name)))
  return names
})

const adminToken = "a".repeat(32)

const secret = "nk-canary-0123456789"

const makeTeamService = Effect.gen(function*() {
  yield* copyTeamFiles
  const { run, start } = yield* Installed
  const notesApi = yield* makeNotesApi
  const folder = yield* dataFolder
  const logFile = join(folder, "team-log")

  const { printed, stop } = yield* start(process.execPath, ["--liftoff-only", "TeamServer.ts"], {
    PORT: "0",
    DATA_DIR: folder,
    ADMIN_TOKEN: adminToken,
    NOTES_BASE_URL: notesApi.url,
    CACHE_FOLDER: join(folder, "team-cache"),
    LOG_FILE: logFile
  })
  const [, url = ""] = yield* printed(/listens on (http:\S+)/)
  return {
    admin: apiClient(url, adminToken),
    logFile,
    notesApi,
    /** The lines that `NotesScript.ts` prints. */
    scriptOf: (key: string) => (...calls: ReadonlyArray<string>) =>
      Effect.map(run(process.execPath, ["NotesScript.ts", url, key, ...calls]), ({ stderr, stdout }) => {
        assert.strictEqual(stderr, "")
        return stdout.trim().split("\n")
      }),
    stop
  }
})

const createCaller = Effect.fnUntraced(function*(admin: ApiClient) {
  const { id: member_id } = yield* admin.members.create({ payload: { email: "a@example.com", client_ids: null } })
  const { key } = yield* admin.keys.create({ payload: { member_id, name: "a", access: "read_write" } })
  yield* admin.managedConnections.create({
    payload: { provider: "notes", auth_type: "api_key", label: "Notes", credentials: { api_key: secret } }
  })
  return key
})

export const teamService = (it: Vitest.MethodsNonLive<Installed>) => {
  it.effect("lets a team write a provider, a cache, a log, clients and scripts in files of less than 120 lines", () =>
    Effect.gen(function*() {
      const { folder, run } = yield* Installed
      for (const name of yield* copyTeamFiles) {
        const lines = (yield* Effect.promise(() => readFile(join(folder, name), "utf8"))).split("\n")
        assert.isBelow(lines.length, 120, name)
      }
      yield* writeGuideFiles
      yield* Effect.promise(() => writeFile(join(folder, "tsconfig.json"), JSON.stringify(consumer)))
      const tsc = join(root, "node_modules/.bin/tsc")
      const checked = yield* run(tsc, ["--checkers", "1", "--project", folder], { GOGC: "400" })
      assert.deepStrictEqual(checked, { exitCode: 0, stdout: "", stderr: "" })
    }))

  it.effect("serves the provider of the guide with its fake, in the sandbox", () =>
    Effect.gen(function*() {
      yield* writeGuideFiles
      yield* copyTeamFiles
      const { run, start } = yield* Installed
      const port = `${yield* Effect.promise(freePort)}`
      const settings = { PORT: port, DATA_DIR: yield* dataFolder, ADMIN_TOKEN: adminToken, PROVIDER_MODE: "sandbox" }
      const { stop } = yield* start(process.execPath, ["serverWithNotes.ts"], settings)
      const admin = apiClient(`http://127.0.0.1:${port}`, adminToken)
      yield* eventually(Effect.option(admin.status.read()), Option.isSome)
      const OA_KEY = yield* createCaller(admin)
      const called = yield* run("npx", ["oa", "call", "notes", "notes.list"], { PORT: port, OA_KEY })
      assert.deepStrictEqual([called.exitCode, JSON.parse(called.stdout)], [0, { notes: ["first"] }], called.stderr)
      yield* stop
    }))

  it.effect("serves a team's provider through its own client, and counts and redacts the calls in its own log", () =>
    Effect.gen(function*() {
      const server = yield* makeTeamService
      const { logFile, notesApi } = server
      const script = server.scriptOf(yield* createCaller(server.admin))

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
}
