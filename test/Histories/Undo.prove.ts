import { assert, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { callMethod } from "../../src/Sandbox/Providers/Gsheets/Engine/Methods.ts"
import { clearRange } from "../Http/Fixture.ts"
import { spreadsheetOf } from "../Sandbox/Providers/Gsheets/Engine/SpreadsheetFixture.ts"
import { errorIn } from "../support/Answer.ts"
import type { Recorded } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { histories, longest, play } from "./History.ts"
import { inInstance, which, World } from "./World.ts"

const cells = ["A1", "B1"] as const
type Cell = typeof cells[number]

/** A write to a cell, an undo of the last write or of the one before, or an edit by another. */
const step = fc.record({
  instance: which,
  act: fc.constantFrom("write", "write", "undo", "undo", "undo", "theirs"),
  cell: fc.constantFrom(...cells)
})

/** A long time makes a history slow, because jobs of the hours run after it. */
const times = ["1 second", "1 minute", "1 minute", "1 minute", "73 hours"] as const

const endpoints: Readonly<Record<string, string>> = { GET: "spreadsheets.get", PUT: "values.update" }

/** A sheet with two cells, and each state that it had. */
const makeSheet = () => {
  let spreadsheet = spreadsheetOf([{ title: "Tab", raw: [["a", "b"]] }])
  const run = (endpoint: string, range: string, search: string, body?: unknown) => {
    const query = Object.fromEntries([...new URLSearchParams(search)].map(([name, value]) => [name, [value]]))
    const called = callMethod(endpoint, spreadsheet, { params: { range }, query, body, now: 0 })
    const found = Result.getOrThrow(called ?? assert.fail(endpoint))
    spreadsheet = found.spreadsheet
    return found.body
  }
  const valueOf = (cell: Cell) => String(Object(run("values.get", `Tab!${cell}`, "")).values)
  const state = (by: string) => ({ A1: valueOf("A1"), B1: valueOf("B1"), by })
  const states = [state("nobody")]
  return {
    states,
    write: (cell: Cell, value: string) => {
      run("values.update", `Tab!${cell}`, "valueInputOption=RAW", { values: [[value]] })
      states.push(state("theirs"))
    },
    reply: ({ body, method, url }: Recorded) => {
      const { pathname, search } = new URL(url, "http://sheets")
      const json = body === "" ? undefined : JSON.parse(body)
      const range = decodeURIComponent(pathname.split("/").at(-1) ?? "")
      const answer = run(endpoints[method] ?? "spreadsheets.batchUpdate", range, search, json)
      if (method !== "GET") states.push(state(method === "PUT" ? String(json.values) : "undo"))
      return { body: answer }
    }
  }
}

layer(World.layer, { excludeTestServices: true })("Undos of writes to cells that others edit", (it) => {
  it.effect(
    "restore exactly what was there, once, or write nothing",
    () =>
      histories("undos", step, times, (steps) =>
        Effect.gen(function*() {
          const { now } = yield* World
          const makeKey = Effect.gen(function*() {
            const { member } = yield* seed({ provider: "gsheets" })
            const payload = { member_id: member.id, name: "undoes", access: "read_write" as const, undo: true }
            return yield* (yield* TestServer).admin.keys.create({ payload })
          })
          const { key } = yield* inInstance(0, makeKey)
          const ask = (path: string, body?: object) =>
            Effect.flatMap(TestServer, ({ request }) => request("POST", path, { key, body }))
          const { reply, states, write } = makeSheet()
          const written: Array<{ cell: Cell; value: string; callId: string; until: number; from: number }> = []
          let values = 0
          const run = Effect.fnUntraced(function*({ act, cell }: { readonly act: string; readonly cell: Cell }) {
            const from = states.length - 1
            const value = `${act}-${++values}`
            if (act === "theirs") return write(cell, value)
            if (act === "write") {
              const { callId, headers } = yield* ask("/v1/call", {
                ...clearRange,
                endpoint: "values.update",
                input: {
                  path: { ...clearRange.input.path, range: `Tab!${cell}` },
                  query: { valueInputOption: "RAW" },
                  body: { values: [[value]] }
                }
              })
              const until = Date.parse(headers.get("openaccounts-undo")?.split("\"")[1] ?? "")
              if (until > 0) written.push({ cell, value, callId, until, from })
              return
            }
            const target = written.at(cell === "A1" ? -1 : -2)
            if (target === undefined) return
            const since = yield* now
            const answer = yield* ask(`/v1/calls/${target.callId}/undo`)
            return { target, since, answer, seen: states.slice(from).map((state) => state[target.cell]) }
          })
          const { results } = yield* play(steps, {
            start: (step) => inInstance(step.instance, run(step)),
            // Connections are checked in the background.
            reply: (request) =>
              request.url.startsWith("/gsheets")
                ? reply(request)
                : { body: { access_token: "ya29.new", expires_in: 3600 } },
            waits: ({ method, url }) => method !== "GET" && url.startsWith("/gsheets")
          })
          const undos = results.filter((result) => result !== undefined)
          for (const { answer, seen, since, target } of undos) {
            if (answer.status === 200) {
              assert.include(seen, target.value, "what another has written is lost")
              assert.isBelow(since, target.until, "undone too late")
            } else if (errorIn(answer).code === "undo_conflict") {
              assert.isTrue(seen.some((value) => value !== target.value), "no conflict")
            }
          }
          const undone = undos.filter(({ answer }) => answer.status === 200).map(({ target }) => target)
          assert.lengthOf(new Set(undone), undone.length, "undone twice")
          const tried = [...new Set(undos.map(({ target }) => target))]
          const applied = states.flatMap((state, index) => state.by === "undo" ? [index] : [])
          assert.isAtLeast(applied.length, undone.length)
          assert.isAtMost(applied.length, tried.length, "undone twice")
          for (const index of applied) {
            const changed = cells.filter((cell) => states[index]?.[cell] !== states[index - 1]?.[cell])
            // What the cell had when the write began, or while that waited.
            const isExact = tried.some(({ cell, from, value }) =>
              changed.every((each) => each === cell) &&
              states.slice(from, states.findIndex(({ by }) => by === value)).some((state) =>
                state[cell] === states[index]?.[cell]
              )
            )
            assert.isTrue(isExact, "not what was there")
          }
        })),
    longest
  )
})
