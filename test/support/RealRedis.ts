import * as NodeRedis from "@effect/platform-node/NodeRedis"
import { Effect, Layer } from "effect"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { freePort } from "../../scripts/FreePort.ts"
import { tempFolder } from "./TempFolder.ts"

export const redisServer = (process.env["PATH"] ?? "").split(delimiter)
  .flatMap((folder) => ["redis-server", "valkey-server"].map((name) => join(folder, name)))
  .find(existsSync)

export const RealRedis = Layer.unwrap(Effect.gen(function*() {
  const folder = yield* tempFolder
  const port = yield* Effect.promise(freePort)
  const server = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(redisServer ?? "redis-server", ["--bind", "127.0.0.1", "--port", `${port}`, "--save", "", "--dir", folder])
    ),
    (server) => Effect.sync(() => server.kill())
  )
  yield* Effect.promise(() =>
    new Promise<void>((resolve, reject) => {
      let output = ""
      server.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text
        if (output.includes("Ready to accept connections")) resolve()
      })
      server.once("error", reject)
      server.once("exit", () => reject(new Error(`Redis ended at its start:\n${output}`)))
    })
  )
  return Layer.orDie(NodeRedis.layer({ url: `redis://127.0.0.1:${port}` }))
}))
