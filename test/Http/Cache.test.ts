import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { freshGrant, seed, TestServer } from "../support/TestServer.ts"
import { assertError, clearRange, held, loggedCall, memberWith, site, sitesGet, sitesList } from "./World.ts"

const price = 0.5

const readRange = { ...clearRange, endpoint: "values.get" }

const report = (body: object) => ({
  provider: "gsc",
  endpoint: "searchanalytics.query",
  input: { path: { siteUrl: site }, body }
})

/** Says how often it was asked. */
const counting = (): Handler => {
  let count = 0
  return () => ({ body: { answer: ++count } })
}

/** A member with a connection, and calls with its read-write key. */
const caller = Effect.fnUntraced(function*(options: Parameters<typeof seed>[0] = {}) {
  const server = yield* TestServer
  const upstream = yield* LoopbackUpstream
  upstream.handle(counting())
  const seeded = yield* seed(options)
  return {
    ...seeded,
    server,
    upstream,
    /** Answers with 200. */
    call: (body: unknown) =>
      Effect.map(server.call(seeded.readWrite, body), ({ json, status, text }) => {
        assert.strictEqual(status, 200, text)
        return json
      })
  }
})

layer(TestServer.make({ CALL_PRICE_USD: `${price}`, CACHE_RETENTION: "1 millis" }), {
  excludeTestServices: true
})("CACHE_RETENTION", (it) => {
  it.effect("caps what max_age reaches", () =>
    Effect.gen(function*() {
      const { call, upstream } = yield* caller()
      // An exchange with the provider takes longer than a millisecond.
      for (let i = 0; i < 2; i++) assert.isFalse((yield* call({ ...sitesList, max_age: 604_800 })).cached)
      assert.strictEqual(upstream.requests.length, 2)
    }))
})

layer(TestServer.make({ CALL_PRICE_USD: `${price}` }), { excludeTestServices: true })(
  "The cache",
  (it) => {
    it.effect("serves a stored answer to whoever accepts its age, as a call of its own that costs nothing", () =>
      Effect.gen(function*() {
        const { call, connection, readOnly, upstream } = yield* caller()
        const first = yield* call(sitesList)
        assert.deepStrictEqual([first.cached, first.cost_usd, first.data], [false, price, { answer: 1 }])
        const second = yield* call({ ...sitesList, max_age: 600 })
        assert.deepStrictEqual([second.cached, second.cost_usd, second.data], [true, 0, { answer: 1 }])
        assert.strictEqual(second.connection_id, connection.id)
        assert.notStrictEqual(second.call_id, first.call_id)
        assert.strictEqual(upstream.requests.length, 1)
        const logged = yield* loggedCall(readOnly, second.call_id)
        assert.deepStrictEqual(
          [logged.cached, logged.cost_usd, logged.outcome, logged.connection_id],
          [true, 0, "ok", connection.id]
        )
        assert.deepStrictEqual(logged.response, second)
      }))

    it.effect("asks anew without max_age, and with 0, and stores the newer answer", () =>
      Effect.gen(function*() {
        const { call, upstream } = yield* caller()
        const answers = []
        for (const more of [{ max_age: 600 }, {}, { max_age: 0 }, { max_age: 600 }]) {
          const { cached, data } = yield* call({ ...sitesList, ...more })
          answers.push([data.answer, cached])
        }
        assert.deepStrictEqual(answers, [[1, false], [2, false], [3, false], [3, true]])
        assert.strictEqual(upstream.requests.length, 3)
      }))

    it.effect("knows an input again however it is written", () =>
      Effect.gen(function*() {
        const { call, upstream } = yield* caller()
        const inputs = [
          report({ startDate: "2026-01-01", endDate: "2026-01-31", dimensions: ["query", "page"], type: "web" }),
          report({ type: "WEB", dimensions: ["QUERY", "PAGE"], endDate: "2026-01-31", startDate: "2026-01-01" })
        ]
        const answers = []
        for (const body of inputs) answers.push((yield* call({ ...body, max_age: 600 })).data.answer)
        assert.deepStrictEqual(answers, [1, 1])
        const others = [
          report({ startDate: "2026-01-01", endDate: "2026-01-31", dimensions: ["page", "query"], type: "web" }),
          report({ startDate: "2026-01-01", endDate: "2026-01-31", dimensions: ["query", "page"] }),
          { ...sitesGet, input: { path: { siteUrl: "sc-domain:example.org" } } },
          sitesGet
        ]
        for (const body of others) assert.isFalse((yield* call({ ...body, max_age: 600 })).cached)
        assert.strictEqual(upstream.requests.length, 1 + others.length)
      }))

    it.effect("knows a tool's input again with its defaults or without", () =>
      Effect.gen(function*() {
        const { call } = yield* caller()
        ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
        const tool = { provider: "gsc", tool: "gsc_top_queries", max_age: 600 }
        assert.isFalse((yield* call({ ...tool, input: { site } })).cached)
        assert.isTrue((yield* call({ ...tool, input: { limit: 25, site, offset: 0 } })).cached)
        assert.isFalse((yield* call({ ...tool, input: { site, limit: 24 } })).cached)
      }))

    it.effect("is kept apart by connection", () =>
      Effect.gen(function*() {
        const { call, connect, connection } = yield* caller()
        const other = yield* connect()
        const on = (connection_id: string) => call({ ...sitesList, connection_id, max_age: 600 })
        assert.strictEqual((yield* on(connection.id)).data.answer, 1)
        assert.strictEqual((yield* on(other.id)).data.answer, 2)
        assert.strictEqual((yield* on(connection.id)).data.answer, 1)
      }))

    it.effect("serves every member who can see the connection", () =>
      Effect.gen(function*() {
        const { call, client, server } = yield* caller()
        yield* call(sitesList)
        const colleague = yield* memberWith([client.id])
        const { json } = yield* server.call(colleague.key, { ...sitesList, max_age: 600 })
        assert.isTrue(json.cached)
      }))

    it.effect("has no failures", () =>
      Effect.gen(function*() {
        const { call, readWrite, server, upstream } = yield* caller()
        upstream.handle(() => ({ status: 404, body: {} }))
        assertError(yield* server.call(readWrite, { ...sitesList, max_age: 600 }), 404, "upstream_error", {})
        upstream.handle(counting())
        assert.isFalse((yield* call({ ...sitesList, max_age: 600 })).cached)
      }))

    it.effect("does not keep an answer over 1 MiB", () =>
      Effect.gen(function*() {
        const { call, upstream } = yield* caller()
        for (const [bytes, body, kept] of [[1_048_576, sitesList, true], [1_048_577, sitesGet, false]] as const) {
          const text = `"${"x".repeat(bytes - 2)}"`
          upstream.handle(() => ({ body: text, headers: { "content-type": "application/json" } }))
          yield* call(body)
          const { cached, data } = yield* call({ ...body, max_age: 600 })
          assert.strictEqual(data.length, bytes - 2)
          assert.strictEqual(cached, kept)
        }
      }))

    it.effect("forgets what it has of a connection when something is written through it, even where that fails", () =>
      Effect.gen(function*() {
        const { call, connect, connection, readWrite, server, upstream } = yield* caller({ provider: "gsheets" })
        const other = yield* connect()
        const read = (connection_id: string) => call({ ...readRange, connection_id, max_age: 600 })
        const write = server.call(readWrite, { ...clearRange, connection_id: connection.id })
        yield* read(connection.id)
        yield* read(other.id)
        assert.strictEqual((yield* write).status, 200)
        assert.isTrue((yield* read(other.id)).cached)
        assert.isFalse((yield* read(connection.id)).cached)
        assert.isTrue((yield* read(connection.id)).cached)
        upstream.handle(() => (response) => response.destroy())
        assertError(yield* write, 502, "upstream_unreachable")
        upstream.handle(counting())
        assert.isFalse((yield* read(connection.id)).cached)
      }))

    it.effect("never has a write", () =>
      Effect.gen(function*() {
        const { call, upstream } = yield* caller({ provider: "gsheets" })
        for (let i = 0; i < 2; i++) assert.isFalse((yield* call({ ...clearRange, max_age: 600 })).cached)
        assert.strictEqual(upstream.requests.length, 2)
      }))

    it.effect("does not keep what was asked before a write, nor hands it to who asks after the write", () =>
      Effect.gen(function*() {
        const { call, upstream } = yield* caller({ provider: "gsheets" })
        const before = yield* held(() => ({ body: { answer: "before" } }))
        upstream.handle(before.holding)
        const reader = yield* Effect.forkChild(call({ ...readRange, max_age: 600 }))
        yield* before.arrived
        upstream.handle(() => ({ body: { answer: "after" } }))
        yield* call(clearRange)
        const after = yield* call({ ...readRange, max_age: 600 })
        assert.deepStrictEqual([after.data.answer, after.cached], ["after", false])
        yield* before.letGo
        assert.deepStrictEqual((yield* Fiber.join(reader)).data.answer, "before")
        assert.deepStrictEqual((yield* call({ ...readRange, max_age: 600 })).data.answer, "after")
      }))

    it.effect("forgets a connection that is reconnected or revoked", () =>
      Effect.gen(function*() {
        const { call, connection, name, server } = yield* caller()
        const read = call({ ...sitesList, max_age: 600 })
        const reconnect = server.admin("PUT", `/connections/${connection.id}/credentials`, {
          credentials: freshGrant(name)
        })
        yield* read
        yield* reconnect
        assert.isFalse((yield* read).cached)
        assert.isTrue((yield* read).cached)
        yield* server.admin("DELETE", `/connections/${connection.id}`)
        yield* reconnect
        assert.isFalse((yield* read).cached)
      }))

    it.effect("identical reads at the same time, with max_age, share one request", () =>
      Effect.gen(function*() {
        const { call, readOnly, upstream } = yield* caller()
        const { arrived, holding, letGo } = yield* held(counting())
        upstream.handle((request) => request.url.endsWith("/sites") ? holding(request) : { body: {} })
        const body = { ...sitesList, max_age: 60 }
        const first = yield* Effect.forkChild(call(body))
        yield* arrived
        const others = yield* Effect.forkChild(
          Effect.all(Array.from({ length: 5 }, () => call(body)), { concurrency: "unbounded" })
        )
        // Whoever is to ask the provider has done so before a call that came later has its answer.
        yield* call(sitesGet)
        yield* letGo
        const leader = yield* Fiber.join(first)
        const answers = yield* Fiber.join(others)
        assert.deepStrictEqual([leader.cached, leader.cost_usd], [false, price])
        for (const { cached, call_id, cost_usd, data } of answers) {
          assert.deepStrictEqual([cached, cost_usd, data], [true, 0, leader.data])
          assert.strictEqual((yield* loggedCall(readOnly, call_id)).outcome, "ok")
        }
        assert.strictEqual(new Set(answers.map(({ call_id }) => call_id)).size, 5)
        assert.strictEqual(upstream.requests.filter(({ url }) => url.endsWith("/sites")).length, 1)
      }))

    it.effect("those who share a request share its failure, each as a call of its own", () =>
      Effect.gen(function*() {
        const { readWrite, server, upstream } = yield* caller()
        const { arrived, holding, letGo } = yield* held(() => ({ status: 404, body: { why: "not" } }))
        upstream.handle(holding)
        const call = server.call(readWrite, { ...sitesList, max_age: 60 })
        const first = yield* Effect.forkChild(call)
        yield* arrived
        const second = yield* Effect.forkChild(call)
        yield* letGo
        const answers = [yield* Fiber.join(first), yield* Fiber.join(second)]
        for (const answer of answers) assertError(answer, 404, "upstream_error", { why: "not" })
        assert.strictEqual(new Set(answers.map(({ json }) => json.call_id)).size, 2)
      }))

    it.effect("identical reads at the same time, without max_age, each ask the provider", () =>
      Effect.gen(function*() {
        const { call, upstream } = yield* caller()
        yield* Effect.all(Array.from({ length: 5 }, () => call(sitesList)), { concurrency: "unbounded" })
        assert.strictEqual(upstream.requests.length, 5)
      }))
  }
)
