import { assert, describe, it } from "@effect/vitest"
import { broken, type Call, type End, type Event, type Outcome } from "./nemesis/Checker.ts"

const read: Call = { id: 0, instance: 0, member: "ann", act: "read", key: "" }
const write: Call = { ...read, act: "write", key: "k" }

const ok = (call: Call, end: Partial<End> = {}): ReadonlyArray<Event> => [
  { type: "invoke", call },
  { type: "ok", call, code: "", callId: "call_1", text: call.member, ...end }
]

const checks = ([0, 1] as const).flatMap((instance) => ok({ ...read, id: 10 + instance, act: "check", instance }))

const kept: Outcome = {
  history: [...ok(read), ...ok(write), ...ok({ ...write, instance: 1 }), ...checks],
  ledger: [{ member: "ann", key: "k" }],
  logged: new Set(["call_1"]),
  saidUnlogged: new Set()
}
const and = (more: ReadonlyArray<Event>): Partial<Outcome> => ({ history: [...kept.history, ...more] })
const unlogged = { callId: "call_2" }
const bob = { ...read, member: "bob" }

const rows: ReadonlyArray<readonly [string, Partial<Outcome>, ReadonlyArray<string>]> = [
  ["kept promises", {}, []],
  ["a lost answer", and([{ type: "invoke", call: read }, ...ok(read, { type: "unknown", callId: "" }).slice(1)]), []],
  ["a call without an end", and([{ type: "invoke", call: read }]), ["call 0 has no end"]],
  ["an answered read that is not in the log", and(ok(read, unlogged)), ["answered and not in the log"]],
  [
    "a read that failed because it could not be logged",
    and(ok(read, { ...unlogged, type: "unknown", code: "internal_error" })),
    []
  ],
  ["a silent loss of a write's log entry", and(ok(write, unlogged)), ["answered and not in the log"]],
  ["a write that could not be logged", { ...and(ok(write, unlogged)), saidUnlogged: new Set(["call_2"]) }, []],
  ["a read that could not be logged", { ...and(ok(read, unlogged)), saidUnlogged: new Set(["call_2"]) }, [
    "answered and not in the log"
  ]],
  ["another account", and([...ok(bob), ...ok(read, { text: "ann bob" })]), ["has what another account has"]],
  ["an empty account", and(ok(read, { text: "{}" })), ["has not what its account has"]],
  ["a second write", { ledger: [...kept.ledger, ...kept.ledger] }, ["sent 2 times: the write k of ann"]],
  ["equal keys of two members", { ledger: [...kept.ledger, { member: "bob", key: "k" }] }, []],
  ["an invented answer", { ledger: [] }, ["answered and never sent: the write k of ann"]],
  ["two answers to one write", and(ok(write, { text: "ann 2" })), ["answered in several ways: the write k of ann"]],
  ["an instance that stays away", { history: kept.history.slice(0, -2) }, ["instance 1 does not answer"]]
]

describe("The checker of histories", () => {
  it.each(rows)("of %s says what is broken", (_, change, expected) => {
    const found = broken({ ...kept, ...change })
    assert.lengthOf(found, expected.length, found.join("\n"))
    for (const [index, text] of expected.entries()) assert.include(found[index], text)
  })
})
