import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { execFile } from "node:child_process"
import { cp, symlink, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { promisify } from "node:util"
import { connectAll, sandboxServer } from "../Service/SandboxServer.ts"
import { tempFolder } from "../support/TempFolder.ts"
import { TestDataDir, TestServer } from "../support/TestServer.ts"

const here = new URL(".", import.meta.url).pathname
const { resolve } = createRequire(import.meta.url)
const bin = (name: string, path: string) => join(resolve(`${name}/package.json`), "..", path)

const generatorSettings = join(here, "TypeScript5.ts")

const execute = promisify(execFile)

const run = (folder: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.promise(() =>
    execute(process.execPath, [...args], { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1e8 }).then(
      ({ stderr, stdout }) => ({ stderr, stdout }),
      ({ message, stderr, stdout }) => assert.fail(`${message}\n${stdout}\n${stderr}`)
    )
  )

const compilerOptions = {
  module: "nodenext",
  target: "esnext",
  strict: true,
  skipLibCheck: true,
  types: ["node"],
  outDir: "built",
  rootDir: "."
}

const programs = ["OpenApiFetch", "HeyApi"]

const compiledClients = Effect.gen(function*() {
  const { request } = yield* TestServer
  const folder = yield* tempFolder
  const { text } = yield* request("GET", "/openapi.json")
  yield* Effect.promise(async () => {
    for (const program of programs) {
      await cp(join(here, "programs", program), join(folder, program), { recursive: true })
      await cp(join(here, "programs/Calls.ts"), join(folder, program, "Calls.ts"))
    }
    await symlink(join(here, "../../node_modules"), join(folder, "node_modules"))
    await writeFile(join(folder, "openapi.json"), text)
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }))
  })
  const typescript = run(folder, [bin("openapi-typescript", "bin/cli.js"), "openapi.json", "--output", "openapi.ts"])
  const heyApi = run(
    folder,
    [
      bin("@hey-api/openapi-ts", "bin/run.js"),
      "--input",
      "openapi.json",
      "--output",
      "client",
      "--client",
      "@hey-api/client-fetch",
      "--no-log-file"
    ],
    { NODE_OPTIONS: `--import=${generatorSettings}` }
  )
  const [{ stderr }] = yield* Effect.all([typescript, heyApi], { concurrency: 2 })
  yield* run(folder, [bin("typescript", "bin/tsc")])
  return { folder, warnings: stderr }
})

const enumerationsIn = (document: object): ReadonlyArray<ReadonlyArray<unknown>> => {
  const found: Array<ReadonlyArray<unknown>> = []
  JSON.stringify(document, (keyword, value) => {
    if (keyword === "enum" && Array.isArray(value)) found.push(value)
    return value
  })
  return found
}

const Answer = Schema.fromJsonString(Schema.Struct({
  cached: Schema.Boolean,
  connection: Schema.String,
  data: Schema.Record(Schema.String, Schema.Unknown)
}))
const decodeAnswer = Schema.decodeUnknownSync(Answer)

layer(sandboxServer().pipe(Layer.provideMerge(TestDataDir.layer)), { excludeTestServices: true })(
  "Clients generated from the OpenAPI document",
  (it) => {
    it.effect("have a constant for each value of an enumeration, and no second `Client`", () =>
      Effect.gen(function*() {
        const { request } = yield* TestServer
        const document = JSON.parse((yield* request("GET", "/openapi.json")).text)
        assert.notProperty(document.components.schemas, "Client")
        const enumerations = enumerationsIn(document)
        assert.isAbove(enumerations.length, 100)
        for (const values of enumerations) {
          const constants = values.map((value) => String(value).toUpperCase())
          assert.lengthOf(new Set(constants), values.length, `${values}`)
          assert.notInclude(values, "")
        }
      }))

    it.effect(
      "call all five providers with typed input, and do not compile with a wrong one",
      () =>
        Effect.gen(function*() {
          const { url } = yield* TestServer
          const { folder, warnings } = yield* compiledClients
          assert.strictEqual(warnings, "")
          const key = yield* connectAll
          for (const program of programs) {
            const { stdout } = yield* run(folder, [`built/${program}/Calls.js`], { BASE_URL: url, API_KEY: key })
            const answers = stdout.trim().split("\n").map((line) => decodeAnswer(line))
            assert.deepStrictEqual(
              answers.map(({ data }) => ["rows", "d", "replies", "text"].filter((field) => field in data)),
              [["rows"], ["rows"], ["d"], ["replies"], ["text"]],
              program
            )
            assert.strictEqual(new Set(answers.map(({ connection }) => connection)).size, 5)
          }
        }).pipe(Effect.scoped)
    )
  }
)
