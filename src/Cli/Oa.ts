import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { SettingsSource } from "../SettingsSource.ts"
import { commands } from "./Commands.ts"
import { demo, serve } from "./Commands/ServerCommands.ts"
import { reportUsageErrors } from "./UsageErrors.ts"

export const runOa = ({ description, version }: { readonly description: string; readonly version: string }) =>
  Command.make("oa").pipe(
    Command.withDescription(description),
    Command.withSubcommands([serve, demo, ...commands]),
    Command.run({ version }),
    reportUsageErrors,
    Effect.provide(
      SettingsSource.pipe(Layer.provideMerge(Layer.mergeAll(NodeServices.layer, FetchHttpClient.layer)))
    ),
    NodeRuntime.runMain
  )
