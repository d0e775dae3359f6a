import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { rolldown } from "rolldown"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { clientPackage } from "./ClientPackage.ts"
import { Installed } from "./Installed.ts"
import { sandboxPackage } from "./SandboxPackage.ts"
import { teamService } from "./TeamService.ts"

/** Prints the URL of every module that the process loads. */
const loaded = "--import=data:text/javascript," + encodeURIComponent(`import { registerHooks } from "node:module"
  registerHooks({ load: (url, context, next) => { if (url.startsWith("file:")) console.error(url); return next(url, context) } })`)

const modulesIn = (output: string) =>
  [...output.matchAll(/^file:.*\/node_modules\/(.+)$/gm)].map(([, file]) => file ?? "")

layer(Installed.layer, { excludeTestServices: true })("The installed package", (it) => {
  it.effect("has JavaScript, declarations, licences, a bill of materials and the README, and nothing else", () =>
    Effect.gen(function*() {
      const { files, folder } = yield* Installed
      const others = files.filter((file) => !/^dist\/(?:(?:dashboard|docs)\/|.+(?:\.js|\.d\.ts)$)/.test(file))
      assert.sameMembers(
        others,
        [
          "LICENSE README.md package.json bin/openaccounts dist/THIRD-PARTY-NOTICES dist/sbom.cdx.json"
        ].flatMap((text) => text.split(" "))
      )
      const read = (file: string) =>
        Effect.promise(() => readFile(join(folder, "node_modules/openaccounts/dist", file), "utf8"))
      assert.match(yield* read("THIRD-PARTY-NOTICES"), /^@jmespath-community\/jmespath .*\(MPL-2\.0\), source: https/m)
      const bill: { readonly components: ReadonlyArray<{ readonly name: string; readonly hashes?: unknown }> } = JSON
        .parse(yield* read("sbom.cdx.json"))
      assert.includeMembers(bill.components.map(({ name }) => name), ["effect", "jose", "react", "node"])
      assert.notInclude(bill.components.map(({ name }) => name), "vitest")
      assert.isTrue(bill.components.every(({ hashes }) => hashes !== undefined))
      assert.includeMembers(
        [...files],
        [
          "dist/index.js dist/index.d.ts dist/main.js dist/oa.js dist/server/main.js dist/dashboard/index.html",
          "dist/docs/index.html"
        ].flatMap((text) => text.split(" "))
      )
      assert.isTrue(files.every((file) => !file.includes("Generated.d.ts")))
    }))

  it.effect("has a client that imports nothing, for browsers", () =>
    Effect.gen(function*() {
      const { folder } = yield* Installed
      const dist = join(folder, "node_modules/openaccounts/dist")
      const closure = (file: string): Effect.Effect<ReadonlyArray<string>> =>
        Effect.promise(() => readFile(join(dist, file), "utf8")).pipe(
          Effect.flatMap((source) =>
            Effect.forEach(source.matchAll(/(?:from |import )"([^"]+)"/g), ([, specifier = ""]) =>
              specifier.startsWith(".")
                ? closure(join(dirname(file), specifier))
                : Effect.succeed([specifier]))
          ),
          Effect.map((found) =>
            found.flat()
          )
        )
      assert.deepStrictEqual(yield* closure("Client/Client.js"), [])
      assert.deepStrictEqual(yield* closure("Client/Connect.js"), [])
      const file = pathToFileURL(join(dist, "Client/Connect.js")).href
      const { connect }: { readonly connect: unknown } = yield* Effect.promise(() => import(file))
      assert.isFunction(connect)
      const manifest = yield* Effect.promise(() => readFile(join(dist, "../package.json"), "utf8"))
      assert.include(manifest, "\"./dist/Client/Connect.js\"")
      assert.include(yield* Effect.promise(() => readFile(join(dist, "Client/Connect.d.ts"), "utf8")), "ConnectOutcome")
      const { output: [{ code }] } = yield* Effect.promise(async () => {
        const bundle = await rolldown({ input: join(dist, "Client/Connect.js") })
        return bundle.generate({ minify: true })
      })
      assert.isAtMost(code.length, 2000)
    }))

  it.effect("shows help and version without a module of the server or of a dependency", () =>
    Effect.gen(function*() {
      const { run } = yield* Installed
      for (
        const args of [["--help"], ["--version"], ["connection", "ls", "--url", "http://127.0.0.1:1", "--token", "x"]]
      ) {
        const { exitCode, stderr, stdout } = yield* run("oa", args, { NODE_OPTIONS: loaded })
        assert.sameMembers(modulesIn(stderr), ["openaccounts/dist/oa.js", "openaccounts/package.json"])
        assert.strictEqual(exitCode, args[0] === "connection" ? 3 : 0)
        if (args[0] === "--version") assert.strictEqual(stdout, "oa v0.1.0\n")
      }
    }))

  it.effect("keeps the server out of the command line, and runs the commands that need it from one other file", () =>
    Effect.gen(function*() {
      const { folder, run } = yield* Installed
      const bundle = yield* Effect.promise(() => readFile(join(folder, "node_modules/openaccounts/dist/oa.js"), "utf8"))
      assert.isBelow(bundle.length, 1_000_000)
      const imported = new Set([...bundle.matchAll(/import\(\W(\.[\w./-]+)\W\)/g)].map(([, file]) => file))
      assert.sameMembers([...imported], [
        ...["Serve", "Demo/Demo", "Doctor/SettingsChecks", "Doctor/NetworkChecks"].map((name) =>
          `./Cli/Commands/${name}.js`
        ),
        ...["Backup", "Restore", "Move"].map((name) => `./Features/Backup/Commands/${name}.js`),
        ...["Registrations", "Providers/Catalog/Catalog", "Http/OpenApi/DocumentedApi"].map((name) => `./${name}.js`)
      ], "name a new command that loads the server in bin/openaccounts")
      const { exitCode, stderr, stdout } = yield* run("oa", ["openapi"], { NODE_OPTIONS: loaded })
      assert.strictEqual(exitCode, 0)
      assert.include(stdout, "\"openapi\": \"3.1")
      assert.sameMembers(modulesIn(stderr).filter((file) => file.startsWith("openaccounts/")), [
        "openaccounts/dist/server/main.js",
        "openaccounts/package.json"
      ])
    }))

  it.effect("runs with the Node of its dependency when the machine's own is older", () =>
    Effect.gen(function*() {
      const { folder, run } = yield* Installed
      const older = join(folder, "older")
      yield* Effect.promise(async () => {
        await mkdir(older)
        await writeFile(join(older, "node"), "#!/bin/sh\nexit 1\n", { mode: 0o755 })
      })
      const path = { PATH: `${older}:/usr/bin:/bin` }
      const { exitCode, stdout } = yield* run("oa", ["--version"], path)
      assert.deepStrictEqual([exitCode, stdout], [0, "oa v0.1.0\n"])
      const failed = yield* run("oa", ["client", "creat"], path)
      assert.strictEqual(failed.exitCode, 2)
    }))

  it.effect("runs the demo, calls it with oa, and ends with Ctrl-C", () =>
    Effect.gen(function*() {
      const { run, start } = yield* Installed
      const data = yield* dataFolder
      // With a database, which takes CPU time to make.
      yield* Effect.promise(async () => {
        await mkdir(join(data, "demo"), { mode: 0o700 })
        await rename(join(data, "db"), join(data, "demo/db"))
      })
      const demo = yield* start("npx", ["openaccounts", "demo"], { PORT: "0", DATA_DIR: data })
      const [, url = ""] = yield* demo.printed(/runs at (http:\S+)/)
      yield* demo.printed(/OA_KEY=(\S+)\n[^]*Ctrl-C/)
      const [, lines = ""] = yield* demo.printed(/With the command line:\n\n([^]*?)\n\n/)
      const called = yield* run("/bin/sh", ["-ec", lines])
      assert.strictEqual(called.exitCode, 0, called.stderr)
      assert.include(called.stdout, "fernhill.example")
      yield* demo.stop
      const refused = yield* Effect.promise(() => fetch(`${url}/healthz`).catch((error: unknown) => error))
      assert.instanceOf(refused, TypeError)
    }))

  clientPackage(it)
  sandboxPackage(it)
  teamService(it)
})
