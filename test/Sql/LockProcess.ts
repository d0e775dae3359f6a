import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Exit, Scope } from "effect"
import { createInterface } from "node:readline"
import { lockDirectory } from "../../src/Sql/Client/DirectoryLock.ts"

createInterface(process.stdin).on("line", (folder) => {
  void lockDirectory(folder).pipe(
    Effect.provideService(Scope.Scope, Scope.makeUnsafe()),
    Effect.provide(NodeFileSystem.layer),
    Effect.runPromiseExit
  ).then((exit) => {
    process.stdout.write(`${Exit.isSuccess(exit) ? "locked" : String(exit.cause).replaceAll("\n", " ")}\n`)
  })
})
