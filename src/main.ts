#!/usr/bin/env node
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { Server } from "./Server.ts"

Layer.launch(Server).pipe(NodeRuntime.runMain)
void Effect
