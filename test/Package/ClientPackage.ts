import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { copyFile, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { ownSandbox } from "../Service/SandboxServer.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { Installed } from "./Installed.ts"

const root = join(import.meta.dirname, "../..")

/** Without the types of Node, as in a browser's project. */
const consumer = {
  compilerOptions: {
    target: "esnext",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    types: []
  }
}

export const clientPackage = (it: Vitest.MethodsNonLive<Installed>) => {
  it.effect("of the client brings one package, which compiles strictly and has everything of the client", () =>
    Effect.gen(function*() {
      const { clientFolder, run } = yield* Installed
      const { admin, url } = yield* TestServer
      const { client, member } = yield* Effect.flatMap(Sandbox, ({ connections: [first] }) => seed(first))
      yield* admin.members.change({ params: { id: member.id }, payload: { client_ids: null } })
      const { key } = yield* admin.keys.create({
        payload: { member_id: member.id, name: "manager", manage: ["connections", "connect_links", "webhooks"] }
      })
      yield* Effect.promise(async () => {
        assert.sameMembers(await readdir(join(clientFolder, "node_modules")), [
          ".package-lock.json",
          "openaccounts-client"
        ])
        await writeFile(join(clientFolder, "tsconfig.json"), JSON.stringify(consumer))
        await copyFile(join(import.meta.dirname, "ClientOnly/Script.ts"), join(clientFolder, "Script.ts"))
      })
      const compiled = yield* run(join(root, "node_modules/.bin/tsc"), ["--project", clientFolder])
      assert.deepStrictEqual(compiled, { exitCode: 0, stdout: "", stderr: "" })
      const script = join(clientFolder, "Script.js")
      assert.deepStrictEqual(yield* run(process.execPath, [script, url, key, client.id]), {
        exitCode: 0,
        stdout: [
          "fernhill",
          "tool:gsc_top_queries ok",
          "true",
          "true ended",
          "false",
          "undefined",
          "webhook_not_found",
          "function\n"
        ].join("\n"),
        stderr: ""
      })
    }).pipe(Effect.provide(ownSandbox())))
}
