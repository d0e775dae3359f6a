import { Effect } from "effect"
import { Command } from "effect/cli"
import { freshDashboard } from "../FreshDashboard.ts"

export const serve = Command.make(
  "serve",
  {},
  () =>
    freshDashboard.pipe(
      Effect.andThen(Effect.promise(() => import("./Serve.ts"))),
      Effect.flatMap(({ startServer }) => startServer)
    )
).pipe(Command.withDescription("Start the server; its settings are environment variables (see the README)"))

export const demo = Command.make(
  "demo",
  {},
  () =>
    freshDashboard.pipe(
      Effect.andThen(Effect.promise(() => import("./Demo/Demo.ts"))),
      Effect.flatMap(({ startDemo }) => startDemo)
    )
).pipe(Command.withDescription("Start the server on the built-in sandbox and make a first call"))
