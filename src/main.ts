#!/usr/bin/env -S node --max-semi-space-size=16 --heap-growing-percent=50 --no-allocation-site-pretenuring
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { Command } from "effect/cli"
import packageJson from "../package.json" with { type: "json" }
import { commands } from "./Cli/Commands.ts"
import { demo } from "./Cli/Commands/Demo/Demo.ts"
import { serve } from "./Cli/Commands/Serve.ts"
import { exitOnUsageError } from "./Cli/ExitCode.ts"

const oa = Command.make("oa").pipe(
  Command.withDescription(packageJson.description),
  Command.withSubcommands([serve, demo, ...commands])
)

Command.run(oa, { version: packageJson.version }).pipe(
  exitOnUsageError,
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
