import { Effect } from "effect"
import { Command } from "effect/cli"

export const serve = Command.make(
  "serve",
  {},
  () => Effect.flatMap(Effect.promise(() => import("./Serve.ts")), ({ startServer }) => startServer)
).pipe(Command.withDescription("Start the server; its settings are environment variables (see the README)"))

export const demo = Command.make(
  "demo",
  {},
  () => Effect.flatMap(Effect.promise(() => import("./Demo/Demo.ts")), ({ startDemo }) => startDemo)
).pipe(Command.withDescription("Start the server on the built-in sandbox and make a first call"))
