import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { clearRange, sitesList } from "../Http/Fixture.ts"
import { eventually } from "../support/Eventually.ts"
import { expiredGrant } from "../support/TestServer.ts"
import { broken, type Call, type End, type Event, isEnd, show, typeOf, type Write } from "./nemesis/Checker.ts"
import { Cluster, fakeTime, fiu } from "./nemesis/Cluster.ts"
import { fault, schedule } from "./nemesis/Faults.ts"
import { slowProvider } from "./nemesis/SlowProvider.ts"
import { which } from "./World.ts"

/** How many histories. For longer runs: `SEEDS=100`. `SEED` sets where they begin. */
const seeds = Number(process.env["SEEDS"] ?? 4)

const clients = 8
/** Each names the range that is written, so that the provider sees it. */
const keys = ["Key0", "Key1", "Key2", "Key3", "Key4", "Key5"]

const act = fc.constantFrom("read" as const, "cached" as const, "write" as const, "write" as const)
const calls = fc.array(fc.record({ instance: which, member: which, act, key: fc.constantFrom(...keys) }), {
  minLength: 8,
  maxLength: 16,
  size: "max"
})

const plan = fc.record({
  clients: fc.array(calls, { minLength: clients, maxLength: clients }),
  faults: fc.array(fault, { minLength: 2, maxLength: 6, size: "max" })
})
type Plan = typeof plan extends fc.Arbitrary<infer A> ? A : never

const bodyOf = (call: Call, cached: boolean) =>
  call.act === "write"
    ? { ...clearRange, input: { path: { ...clearRange.input.path, range: `${call.key}!A1` } } }
    : { ...sitesList, ...(cached ? { max_age: 60 } : {}) }

const makeHistory = Effect.gen(function*() {
  const { instances } = yield* Cluster
  const history: Array<Event> = []
  let last = 0

  const makeMember = Effect.gen(function*() {
    const { connect, name, readWrite } = yield* instances[0].server().seed()
    // Its token is refreshed first.
    yield* connect({ provider: "gsheets", credentials: expiredGrant(name) })
    return { name: `${name}-`, key: readWrite }
  })
  const members = [yield* makeMember, yield* makeMember] as const

  const make = Effect.fnUntraced(function*(given: Omit<Call, "id" | "member">, member: 0 | 1, cached = false) {
    const { key, name } = members[member]
    const call: Call = { ...given, id: last++, member: name }
    history.push({ type: "invoke", call })
    const answer = yield* Effect.promise(() =>
      fetch(`${instances[call.instance].server().url}/v1/call`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, ...(call.act === "write" ? { "idempotency-key": call.key } : {}) },
        body: JSON.stringify(bodyOf(call, cached)),
        signal: AbortSignal.timeout(4000)
      }).then(async (response) => ({ status: response.status, text: await response.text() })).catch(() => undefined)
    )
    const end = endOf(call, answer)
    history.push(end)
    return end
  })

  /** The calls that the log has, of those that were answered. */
  const findLogged = Effect.suspend(() =>
    Effect.filter(
      new Map(history.filter(isEnd).map(({ call, callId }) => [callId, call.member])),
      ([callId, member]) => {
        const key = members.find(({ name }) => name === member)?.key ?? ""
        const find = Effect.promise(() => instances[0].server().send("GET", `/v1/logs/${callId}`, key))
        // A connection can still be broken.
        return Effect.map(eventually(find, ({ status }) => status !== 500), ({ status }) => status === 200)
      },
      { concurrency: 8 }
    )
  )
  return { history, members, make, findLogged }
})

const endOf = (call: Call, answer: { readonly status: number; readonly text: string } | undefined): End => {
  if (answer === undefined) return { type: "unknown", call, code: "", callId: "", text: "no answer" }
  const json = JSON.parse(answer.text)
  const code: string = json.error?.code ?? ""
  return { type: typeOf(answer.status, code), call, code, callId: json.call_id, text: JSON.stringify(json.data ?? "") }
}

const check = Effect.fnUntraced(function*({ clients, faults }: Plan) {
  const { heal, instances, upstream } = yield* Cluster
  yield* heal
  const scope = yield* Effect.scope
  const { findLogged, history, make, members } = yield* makeHistory
  const ledger: Array<Write> = []
  upstream.handle(slowProvider(ledger))

  const due = yield* schedule(faults)
  let count = 0
  const tick = Effect.gen(function*() {
    count++
    while (due[0] !== undefined && due[0].at <= count) {
      const { run, text } = due.shift() ?? assert.fail()
      history.push({ type: "fault", text })
      yield* Effect.forkIn(run, scope)
    }
  })
  const client = Effect.fnUntraced(function*(calls: Plan["clients"][number]) {
    for (const { act, instance, key, member } of calls) {
      yield* make({ instance, act: act === "cached" ? "read" : act, key }, member, act === "cached")
      yield* tick
    }
  })
  yield* Effect.forEach(clients, client, { concurrency: "unbounded", discard: true })
  history.push({ type: "fault", text: "the end of all faults" })
  yield* heal

  const ask = (instance: 0 | 1, member: 0 | 1) =>
    Effect.gen(function*() {
      yield* eventually(make({ instance, act: "check", key: "" }, member), ({ type }) => type === "ok")
      yield* Effect.forEach(keys, (key) => make({ instance, act: "write", key }, member), { concurrency: "unbounded" })
    })
  yield* Effect.all([ask(0, 0), ask(0, 1), ask(1, 0), ask(1, 1)], { concurrency: "unbounded" })
  const output = instances.map((each) => each.output()).join("\n")
  const saidUnlogged = new Set(
    output.split("\n").filter((line) => line.includes("could not be logged")).flatMap((line) =>
      line.match(/call_\w+/g) ?? []
    )
  )
  const found = broken({
    history,
    ledger,
    logged: new Set((yield* findLogged).map(([callId]) => callId)),
    saidUnlogged
  })
  if (found.length > 0) {
    assert.fail([`${members[0].name} and ${members[1].name}`, ...found, ...history.map(show)].join("\n"))
  }
  return history
})

layer(Cluster.layer, { excludeTestServices: true })(
  "Two services whose processes, network and database break",
  (it) => {
    it.effect("log what they answer, write once, mix no accounts, and answer again", () =>
      Effect.gen(function*() {
        const context = yield* Effect.context<Cluster>()
        const seen = new Map<string, number>()
        const property = fc.asyncProperty(plan, async (plan) => {
          const history = await Effect.runPromiseWith(context)(Effect.scoped(check(plan)))
          for (const what of history.filter(isEnd).map(summary)) seen.set(what, (seen.get(what) ?? 0) + 1)
        })
        // The processes do not run in the same way again, so nothing is gained by a search for a shorter history.
        yield* Effect.promise(() => fc.assert(property, { numRuns: seeds, endOnFailure: true }))
        const counts = [...seen].map(([what, count]) => `${count} ${what}`).join(", ")
        yield* Effect.sync(() => process.stdout.write(`${seeds} histories of faults: ${counts}${leftOut}\n`))
      }), seeds * 60_000 + 300_000)
  }
)

const leftOut = [
  ...fakeTime === undefined ? ["; no clock jumped, because faketime is not installed"] : [],
  ...fiu.length === 0 ? ["; no fsync failed, because fiu-utils is not installed"] : []
].join("")

const summary = ({ callId, code, type }: End) => `${type} ${code || (callId === "" ? "without an answer" : "")}`.trim()
