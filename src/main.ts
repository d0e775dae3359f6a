#!/usr/bin/env node
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { Command } from "effect/unstable/cli"
import { demo } from "./Cli/Demo.ts"
import { serve } from "./Cli/Serve.ts"
import packageJson from "../package.json" with { type: "json" }

const oa = Command.make("oa").pipe(
  Command.withDescription(packageJson.description),
  Command.withSubcommands([serve, demo])
)

Command.run(oa, { version: packageJson.version }).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
