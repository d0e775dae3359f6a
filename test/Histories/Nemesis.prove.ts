import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { clearRange, sitesList } from "../Http/Fixture.ts"
import { eventually } from "../support/Eventually.ts"
import { type Handler } from "../support/LoopbackUpstream.ts"
import { broken, type Call, type End, type Event, isEnd, show, typeOf, type Write } from "./nemesis/Checker.ts"
import { Cluster, fakeTime } from "./nemesis/Cluster.ts"
import { which } from "./World.ts"

/** How many histories. For longer runs: `SEEDS=100`. `SEED` sets where they begin. */
const seeds = Number(process.env["SEEDS"] ?? 4)

const clients = 8

const act = fc.constantFrom("read" as const, "cached" as const, "write" as const, "write" as const)
const calls = fc.array(fc.record({ instance: which, member: which, act, key: fc.nat(5) }), {
  minLength: 8,
  maxLength: 16,
  size: "max"
})

const fault = fc.record({
  kind: fc.constantFrom(
    "pause",
    "kill",
    "stop the database",
    "cut the database",
    "cut an answer of the database",
    "partition from the database",
    "cut the provider",
    "cut an answer of the provider",
    ...(fakeTime === undefined ? [] : ["clock"])
  ),
  instance: which,
  /** How many calls end before it begins, and before it is over. */
  after: fc.nat(12),
  lasts: fc.integer({ min: 1, max: 30 }),
  nth: fc.integer({ min: 1, max: 12 }),
  // Keys are forgotten after a day, so no clock jumps that far.
  jump: fc.constantFrom(30, 3600, 72_000, -30, -3600, -72_000)
})
type Fault = typeof fault extends fc.Arbitrary<infer A> ? A : never

const plan = fc.record({
  clients: fc.array(calls, { minLength: clients, maxLength: clients }),
  faults: fc.array(fault, { minLength: 2, maxLength: 6, size: "max" })
})
type Plan = typeof plan extends fc.Arbitrary<infer A> ? A : never

const begin = Effect.fnUntraced(function*({ instance, jump, kind, nth }: Fault) {
  const { instances, setDatabase } = yield* Cluster
  const at = instances[instance]
  if (kind === "pause") yield* at.signal("SIGSTOP")
  if (kind === "kill") yield* at.kill
  if (kind === "stop the database") yield* setDatabase(false)
  if (kind === "cut the database") at.database.cut()
  if (kind === "cut an answer of the database") at.database.cutAnswer(nth)
  if (kind === "partition from the database") at.database.hold()
  if (kind === "cut the provider") at.provider.cut()
  if (kind === "cut an answer of the provider") at.provider.cutAnswer(nth)
  if (kind === "clock") yield* at.jump(jump)
})

const end = Effect.fnUntraced(function*({ instance, kind }: Fault) {
  const { instances, setDatabase } = yield* Cluster
  const at = instances[instance]
  if (kind === "pause") yield* at.signal("SIGCONT")
  if (kind === "kill") yield* at.restart
  if (kind === "stop the database") yield* setDatabase(true)
  if (kind === "partition from the database") at.database.heal()
  if (kind === "clock") yield* at.jump(0)
})

/** The account is in the token of a request, as its seed has named it. */
const memberOf = (authorization: string | undefined) => /access-(seed-\d+-)/.exec(authorization ?? "")?.[1] ?? ""

/** Notes writes, and answers with the name of the account. */
const provider = (ledger: Array<Write>): Handler => ({ headers, url }) => {
  const member = memberOf(headers.authorization)
  const key = /Key\d+/.exec(url)?.[0]
  if (key === undefined) return { body: { siteEntry: [{ siteUrl: `https://${member}.example/` }] } }
  ledger.push({ member, key })
  return { body: { spreadsheetId: member, clearedRange: `${key}!A1` } }
}

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
    yield* connect({ provider: "gsheets" })
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
        headers: {
          authorization: `Bearer ${key}`,
          ...(call.act === "write" ? { "idempotency-key": call.key } : {})
        },
        body: JSON.stringify(bodyOf(call, cached)),
        signal: AbortSignal.timeout(4000)
      }).then(async (response) => ({ status: response.status, text: await response.text() }), () => undefined)
        .catch(() => undefined)
    )
    const end = endOf(call, answer)
    history.push(end)
    return end
  })

  /** Which of them the log has. */
  const findLogged = Effect.fnUntraced(function*() {
    const logged = new Set<string>()
    for (const event of history) {
      if (!isEnd(event) || event.callId === "" || logged.has(event.callId)) continue
      const key = members.find(({ name }) => name === event.call.member)?.key ?? ""
      const { status } = yield* eventually(
        Effect.promise(() => instances[0].server().send("GET", `/v1/logs/${event.callId}`, key)),
        // A connection can still be broken.
        ({ status }) => status !== 500
      )
      if (status === 200) logged.add(event.callId)
    }
    return logged
  })
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
  upstream.handle(provider(ledger))

  let start = 0
  const due = faults.flatMap((fault) => {
    start += fault.after
    return [
      { at: start, run: begin(fault), text: `${fault.kind} of ${fault.instance} (${fault.nth}, ${fault.jump})` },
      { at: start + fault.lasts, run: end(fault), text: `the end of: ${fault.kind} of ${fault.instance}` }
    ]
  }).toSorted((one, other) => one.at - other.at)
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
      yield* make({ instance, act: act === "cached" ? "read" : act, key: `Key${key}` }, member, act === "cached")
      yield* tick
    }
  })
  yield* Effect.forEach(clients, client, { concurrency: "unbounded", discard: true })
  history.push({ type: "fault", text: "the end of all faults" })
  yield* heal

  for (const instance of [0, 1] as const) {
    for (const member of [0, 1] as const) {
      yield* eventually(make({ instance, act: "check", key: "" }, member), ({ type }) => type === "ok")
      for (const key of [0, 1, 2, 3, 4, 5]) yield* make({ instance, act: "write", key: `Key${key}` }, member)
    }
  }
  const output = instances.map((each) => each.output()).join("\n")
  const saidUnlogged = new Set(
    output.split("\n").filter((line) => line.includes("could not be logged")).flatMap((line) =>
      line.match(/call_\w+/g) ?? []
    )
  )
  const found = broken({ history, ledger, logged: yield* findLogged(), saidUnlogged })
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
        yield* Effect.sync(() => process.stdout.write(`${seeds} histories of faults: ${counts}\n`))
      }), 6_000_000)
  }
)

const summary = ({ callId, code, type }: End) => `${type} ${code || (callId === "" ? "without an answer" : "")}`.trim()
