import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { execFileSync } from "node:child_process"
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import packageJson from "../../package.json" with { type: "json" }
import { namesSecret } from "../../src/Secrets/Redaction/SecretName.ts"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { startServer } from "../support/ServerProcess.ts"
import { all, command, copied, environment, ignore, stages } from "./Dockerfile.ts"

const root = new URL("../../", import.meta.url).pathname

const image = stages.at(-1) ?? []
const instructions = stages.flat()
const env = environment(image)
const dataDir = env["DATA_DIR"] ?? ""
const entrypoint = command(all(image, "ENTRYPOINT").at(-1))
const health = all(image, "HEALTHCHECK").at(-1) ?? ""

describe("the image", () => {
  it("is built on one image with the exact Node version of the project, named by its digest", () => {
    const [base = "", ...others] = new Set(all(instructions, "FROM").map((from) => from.split(" ")[0]))
    assert.deepStrictEqual(others, [])
    const [tag, digest] = base.split("@")
    assert.strictEqual(tag, `node:${packageJson.dependencies.node}-bookworm-slim`)
    assert.match(digest ?? "", /^sha256:[0-9a-f]{64}$/)
  })

  it("installs the locked packages without development packages and without install scripts", () => {
    const installs = all(instructions, "RUN").map(command).filter(([program]) => program === "npm")
    for (const install of installs) assert.includeMembers([...install], ["npm", "ci", "--ignore-scripts"])
    const [dependencies = []] = stages
    assert.include(all(dependencies, "RUN").map(command).flat(), "--omit=dev")
    assert.include(all(image, "COPY"), "--from=dependencies /app/node_modules ./node_modules")
  })

  it("runs as an unprivileged numeric user", () => {
    const [user, ...others] = all(image, "USER")
    assert.match(user ?? "", /^[1-9]\d*:[1-9]\d*$/)
    assert.deepStrictEqual(others, [])
    const later = image.slice(image.findIndex(({ name }) => name === "USER"))
    assert.deepStrictEqual(later.filter(({ name }) => ["RUN", "COPY", "ADD"].includes(name)), [])
  })

  it("keeps its data in one volume and writes nowhere else", () => {
    assert.match(dataDir, /^\/\w+$/)
    assert.deepStrictEqual(all(image, "VOLUME").map(command), [[dataDir]])
    assert.include(entrypoint, "--permission")
    assert.deepStrictEqual(entrypoint.filter((each) => each.startsWith("--allow-")), [
      "--allow-fs-read=/app",
      `--allow-fs-read=${dataDir}`,
      "--allow-fs-read=/run/secrets",
      `--allow-fs-write=${dataDir}`,
      "--allow-worker",
      "--allow-child-process",
      "--allow-inspector"
    ])
    const made = all(image, "RUN").map(command).find((words) => words.at(-1) === dataDir) ?? []
    const [user, group] = (all(image, "USER")[0] ?? "").split(":")
    assert.includeMembers([...made], ["--mode=0700", `--owner=${user}`, `--group=${group}`])
  })

  it("starts Node without a shell, so that it receives signals", () => {
    assert.strictEqual(entrypoint[0], "node")
    assert.deepStrictEqual(command(all(image, "CMD").at(-1)), ["serve"])
    assert.strictEqual(command(health.slice(health.indexOf("CMD ") + 4))[0], "node")
    assert.deepStrictEqual(all(instructions, "SHELL"), [])
  })

  it("contains no secret and downloads only locked packages", () => {
    const named = [...all(instructions, "ARG"), ...Object.keys(env)].map((each) => each.split("=")[0] ?? "")
    assert.deepStrictEqual(named.filter(namesSecret), [])
    assert.deepStrictEqual(all(instructions, "ADD"), [])
    assert.notMatch(all(instructions, "RUN").join("\n"), /curl|wget|apt-get|https?:/)
  })

  it("sends only copied files to the build", () => {
    assert.strictEqual(ignore[0], "*")
    assert.sameMembers(ignore.slice(1), [...new Set(copied(instructions))].map((path) => `!${path}`))
  })

  it("listens on the exposed port on all interfaces", () => {
    assert.deepStrictEqual([env["HOST"], all(image, "EXPOSE")], ["0.0.0.0", [env["PORT"] ?? ""]])
    assert.strictEqual(env["OA_URL"], `http://127.0.0.1:${env["PORT"]}`)
  })

  it.live("starts the service, reports healthy and stops at SIGTERM", () =>
    Effect.gen(function*() {
      const app = yield* imageFolder
      const data = yield* dataFolder
      const placed = (text: string) => text.replace(/\/app$/, app).replace(new RegExp(`${dataDir}$`), data)
      const server = yield* startServer(data, { NODE_ENV: "production" }, {
        folder: app,
        // The packages are links. Without these flags they would resolve development packages.
        args: ["--preserve-symlinks", "--preserve-symlinks-main", ...entrypoint.slice(1).map(placed), "serve"]
      })
      const ready = yield* Effect.promise(() => server.send("GET", "/readyz", ""))
      assert.strictEqual(ready.status, 200, ready.text)

      const dashboard = yield* Effect.promise(() => server.send("GET", "/dashboard", ""))
      assert.include(dashboard.text, "/dashboard/assets/", dashboard.text)

      const [program = "", ...args] = command(health.slice(health.indexOf("CMD ") + 4))
      const healthy = (port: string) => execFileSync(program, args, { env: { ...process.env, PORT: port } })
      healthy(new URL(server.url).port)
      assert.throws(() => healthy("1"))

      yield* server.kill("SIGTERM")
      const { code, output } = yield* server.ended
      assert.strictEqual(code, 0, output)
    }).pipe(Effect.scoped))
})

const Lock = Schema.Struct({
  packages: Schema.Record(
    Schema.String,
    Schema.Struct({ dev: Schema.optionalKey(Schema.Boolean), optional: Schema.optionalKey(Schema.Boolean) })
  )
})

const imageFolder = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await mkdtemp(join(tmpdir(), "openaccounts-image-"))
    for (const path of copied(image)) await cp(join(root, path), join(folder, path), { recursive: true })
    for (const built of ["dist/dashboard", "dist/docs", "dist/service"]) {
      await cp(join(root, built), join(folder, built), { recursive: true })
    }
    const lock = Schema.decodeUnknownSync(Lock)(JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")))
    const top = /^node_modules\/(?:@[^/]+\/)?[^/]+$/
    for (const [path, { dev = false, optional = false }] of Object.entries(lock.packages)) {
      if (dev || optional || !top.test(path)) continue
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await symlink(join(root, path), join(folder, path))
    }
    return folder
  }),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)
