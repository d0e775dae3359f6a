import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { attacks } from "../../scripts/attack/Attacks.ts"
import { type Observation, observe, type Victim } from "../../scripts/attack/Observe.ts"
import { acceptInvitation } from "../../scripts/attack/SigningIn.ts"
import { startProcess } from "../../scripts/bench/NodeProcess.ts"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { type ServerProcess, startServer } from "../support/ServerProcess.ts"

/** The longest turn of the event loop, in calls of the victim that take as long. */
const maxCalls = 1500
const maxCallsOfLight = 500

/** A sign-in or a query takes at most `maxTimes` times as long as one before the attack. 480 guesses wait. */
const maxTimes = 100

/** Of the memory before the attack. Alone it grows by 0.7 to 1 of it, and by more where the collector waits. */
const maxGrowth = 1.5

const maxError = 1_048_576

/** The bodies of a service that read all of them would still need more than it may grow. `ATTACK_SHARE=1` for all. */
const share = Number(process.env["ATTACK_SHARE"] ?? 0.4)

const memberOf = Effect.fnUntraced(function*({ seed }: ServerProcess) {
  const { connect, member, readWrite } = yield* seed()
  for (const provider of ["gdocs", "gsheets"]) yield* connect({ provider })
  return { key: readWrite, member }
})

class Attacked extends Context.Service<Attacked, {
  readonly attack: (name: string) => Effect.Effect<Observation>
  /** What the service has printed. */
  readonly output: () => string
}>()("openaccounts/test/Security/Attacked") {
  static readonly layer = Layer.effect(
    Attacked,
    Effect.gen(function*() {
      const provider = yield* startProcess({ script: "scripts/attack/Provider.ts" })
      const server = yield* startServer(yield* dataFolder, {
        // The victim calls more often than quotas allow.
        QUOTAS: "off",
        MAX_CONNECTIONS: "1000",
        TRUSTED_PROXIES: "127.0.0.1",
        GSC_BASE_URL: provider.url,
        GDOCS_BASE_URL: provider.url,
        GSHEETS_BASE_URL: provider.url
      })
      const { key, member: { email, id } } = yield* memberOf(server)
      const link = yield* server.admin.memberLinks.create({ params: { id } })
      const member = yield* Effect.promise(() => acceptInvitation(server.url, email, link.url))
      const victim: Victim = { pid: server.pid, url: server.url, key, member }
      const { key: attacker } = yield* memberOf(server)
      return { attack: (name) => Effect.promise(() => observe(victim, name, attacker, share)), output: server.output }
    })
  ).pipe(Layer.provide(NodeServices.layer))
}

layer(Attacked.layer, { excludeTestServices: true })("Another member is served during", (it) => {
  for (const [name, { isLight, isLong }] of Object.entries(attacks)) {
    if (isLong) continue
    it.effect(name, () =>
      Effect.gen(function*() {
        const { attack, output } = yield* Attacked
        const observed = yield* attack(name)
        const { callCpu, gapCpu, latencyCpu, longestError, memory, refused, statuses } = observed
        assert.strictEqual(refused, 0)
        assert.isBelow(latencyCpu / callCpu, maxCalls)
        assert.isBelow(gapCpu / callCpu, isLight ? maxCallsOfLight : maxCalls)
        assert.isAtMost(observed.signIn, maxTimes * observed.signInAlone)
        assert.isAtMost(observed.query, maxTimes * observed.queryAlone)
        assert.isAtMost(memory, maxGrowth * observed.memoryBefore)
        assert.isBelow(longestError, maxError)
        assert.notProperty(statuses, "500")
        // Statements hold data of customers.
        assert.notInclude(output(), "randomblob")
      }))
  }
})
