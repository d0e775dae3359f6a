import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { createRequire } from "node:module"
import { commands } from "./Cli/Commands.ts"
import { demo, serve } from "./Cli/Commands/ServerCommands.ts"
import { reportUsageErrors } from "./Cli/UsageErrors.ts"

/** At run time, because the JavaScript of the package is in another folder. */
const { description, version }: { readonly description: string; readonly version: string } = createRequire(
  import.meta.url
)("../package.json")

const oa = Command.make("oa").pipe(
  Command.withDescription(description),
  Command.withSubcommands([serve, demo, ...commands])
)

Command.run(oa, { version }).pipe(
  reportUsageErrors,
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
