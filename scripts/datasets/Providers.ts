/** The providers of the sandbox in a process of their own, so that the memory and CPU of a service are only its own. */
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { fakeProviders, providers } from "../../src/Registrations.ts"
import { SandboxStore } from "../../src/Sandbox/Data/SandboxStore.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"

Effect.flatMap(Sandbox, ({ urlOf }) => Console.log(`listens on ${new URL(urlOf("gsc")).origin}`)).pipe(
  Effect.andThen(Effect.never),
  Effect.provide(Sandbox.layer(fakeProviders, providers).pipe(Layer.provide(SandboxStore.layerMemory))),
  NodeRuntime.runMain
)
