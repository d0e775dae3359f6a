import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { CallRequest } from "../../src/Api/Calls/CallApi.ts"
import type { CreateConnection } from "../../src/Domain/Connection.ts"
import { assertFails } from "../support/ApiClient.ts"
import { type Handler, holdReplies } from "../support/LoopbackUpstream.ts"
import { bySitesearchKey, freshGrant, keyFor, seed, TestServer } from "../support/TestServer.ts"
import { answering, clearRange, Hosted, loggedCall, memberWith, price, site, sitesGet, sitesList } from "./Fixture.ts"

const readRange = { ...clearRange, endpoint: "values.get" }

const query = (body: object) => ({
  provider: "gsc",
  endpoint: "searchanalytics.query",
  input: { path: { siteUrl: site }, body }
})

const counting = (): Handler => {
  let count = 0
  return () => ({ body: { answer: ++count } })
}

const seedCaller = Effect.fnUntraced(function*(connection?: Partial<CreateConnection>) {
  const server = yield* TestServer
  const upstream = yield* answering(counting())
  const seeded = yield* seed(connection)
  return { ...seeded, server, upstream, call: (payload: CallRequest) => seeded.writer.call.call({ payload }) }
})

layer(Hosted, { excludeTestServices: true })("The cache", (it) => {
  it.effect("answers a call whose max_age allows it, for every member who sees the connection, free of charge", () =>
    Effect.gen(function*() {
      const { call, client, connection, readOnly, upstream } = yield* seedCaller()
      const first = yield* call(sitesList)
      assert.deepStrictEqual([first.cached, first.cost_usd, first.data], [false, price, { answer: 1 }])
      const second = yield* call({ ...sitesList, max_age: 600 })
      assert.deepStrictEqual([second.cached, second.cost_usd, second.data], [true, 0, { answer: 1 }])
      assert.strictEqual(second.connection_id, connection.id)
      assert.notStrictEqual(second.call_id, first.call_id)
      assert.strictEqual(upstream.requests.length, 1)
      const logged = yield* loggedCall(readOnly, second.call_id)
      assert.deepInclude(logged, { cached: true, cost_usd: 0, outcome: "ok", connection_id: connection.id })
      assert.deepStrictEqual(logged.response, second)
      const colleague = yield* memberWith([client.id])
      assert.isTrue((yield* colleague.reader.call.call({ payload: { ...sitesList, max_age: 600 } })).cached)
    }))

  it.effect("does not keep a response that repeats the connection's credential, which is replaced in the answer", () =>
    Effect.gen(function*() {
      const { call, name, readOnly, upstream } = yield* seedCaller()
      upstream.handle(({ headers }) => ({ body: { headers } }))
      const calls = yield* Effect.replicateEffect(call({ ...sitesList, max_age: 600 }), 2)
      for (const answer of calls) {
        assert.isFalse(answer.cached)
        assert.include(JSON.stringify(answer.data), "Bearer [redacted]")
        const entry = yield* loggedCall(readOnly, answer.call_id)
        for (const shown of [answer, entry]) assert.notInclude(JSON.stringify(shown), freshGrant(name).access_token)
      }
      assert.lengthOf(upstream.requests, 2)
    }))

  it.effect("is not used without max_age or with 0, and keeps the newer answer", () =>
    Effect.gen(function*() {
      const { call, upstream } = yield* seedCaller()
      const answers: Array<unknown> = []
      for (const more of [{ max_age: 600 }, {}, { max_age: 0 }, { max_age: 600 }]) {
        const { cached, data } = yield* call({ ...sitesList, ...more })
        answers.push([data, cached])
      }
      assert.deepStrictEqual(answers, [
        [{ answer: 1 }, false],
        [{ answer: 2 }, false],
        [{ answer: 3 }, false],
        [{ answer: 3 }, true]
      ])
      assert.strictEqual(upstream.requests.length, 3)
    }))

  it.effect("recognises an input in another field order and spelling, and with and without its defaults", () =>
    Effect.gen(function*() {
      const { call } = yield* seedCaller()
      const isCached = (body: CallRequest) => Effect.map(call({ ...body, max_age: 600 }), ({ cached }) => cached)
      const days = { startDate: "2026-01-01", endDate: "2026-01-31" }
      const tool = { provider: "gsc", tool: "gsc_top_queries" }
      const calls: ReadonlyArray<readonly [CallRequest, boolean]> = [
        [query({ ...days, dimensions: ["query", "page"], type: "web" }), false],
        [query({ type: "WEB", dimensions: ["QUERY", "PAGE"], endDate: days.endDate, startDate: days.startDate }), true],
        [query({ ...days, dimensions: ["page", "query"], type: "web" }), false],
        [query({ ...days, dimensions: ["query", "page"] }), false],
        [{ ...sitesGet, input: { path: { siteUrl: "sc-domain:example.org" } } }, false],
        [sitesGet, false],
        [{ ...tool, input: { site } }, false],
        [{ ...tool, input: { limit: 25, site, offset: 0 } }, true],
        [{ ...tool, input: { site, limit: 24 } }, false]
      ]
      for (const [body, cached] of calls) assert.strictEqual(yield* isCached(body), cached, JSON.stringify(body))
    }))

  it.effect("forgets a connection's answers when a write goes through it, also one that fails, and never answers a write", () =>
    Effect.gen(function*() {
      const { call, connect, connection, upstream } = yield* seedCaller({ provider: "gsheets" })
      const other = yield* connect()
      const read = (connection_id: string) => call({ ...readRange, connection_id, max_age: 600 })
      const write = call({ ...clearRange, connection_id: connection.id, max_age: 600 })
      yield* read(connection.id)
      yield* read(other.id)
      for (let i = 0; i < 2; i++) assert.isFalse((yield* write).cached)
      assert.isTrue((yield* read(other.id)).cached)
      assert.isFalse((yield* read(connection.id)).cached)
      assert.isTrue((yield* read(connection.id)).cached)
      upstream.handle(() => (response) => response.destroy())
      yield* assertFails(write, "upstream_unreachable")
      upstream.handle(counting())
      assert.isFalse((yield* read(connection.id)).cached)
    }))

  it.effect("keeps its answers, and costs nothing, when a preview or a refusal does not reach the provider", () =>
    Effect.gen(function*() {
      const { call, member, server, upstream } = yield* seedCaller(bySitesearchKey)
      const read = call({ provider: "sitesearch", endpoint: "GetUserSites", max_age: 600 })
      const write = {
        provider: "sitesearch",
        endpoint: "SubmitUrl",
        input: { body: { siteUrl: "https://example.com/", url: "https://example.com/a" } }
      }
      const key = yield* keyFor(member, { access: "read_write", budget: { writes_per_day: 0 } })
      upstream.handle(() => ({ body: { d: [] } }))
      assert.strictEqual((yield* read).cost_usd, price)
      assert.strictEqual((yield* call({ ...write, dry_run: true })).cost_usd, 0)
      assert.strictEqual((yield* server.call(key, write)).status, 429)
      assert.isTrue((yield* read).cached)
      assert.lengthOf(upstream.requests, 1)
      // No read counts to a budget of writes.
      assert.strictEqual((yield* server.call(key, { provider: "sitesearch", endpoint: "GetUserSites" })).status, 200)
    }))

  it.effect("forgets a connection that is reconnected or revoked", () =>
    Effect.gen(function*() {
      const { call, connection, name, server } = yield* seedCaller()
      const read = call({ ...sitesList, max_age: 600 })
      const params = { id: connection.id }
      const reconnect = server.admin.managedConnections.reconnect({
        params,
        payload: { credentials: freshGrant(name) }
      })
      yield* read
      yield* reconnect
      assert.isFalse((yield* read).cached)
      assert.isTrue((yield* read).cached)
      yield* server.admin.managedConnections.revoke({ params })
      yield* reconnect
      assert.isFalse((yield* read).cached)
    }))

  it.effect("lets identical concurrent reads with max_age share one request", () =>
    Effect.gen(function*() {
      const { call, readOnly, upstream } = yield* seedCaller()
      const { arrived, holding, release } = yield* holdReplies(counting())
      upstream.handle((request) => request.url.endsWith("/sites") ? holding(request) : { body: {} })
      const body = { ...sitesList, max_age: 60 }
      const first = yield* Effect.forkChild(call(body))
      yield* arrived
      const others = yield* Effect.forkChild(Effect.replicateEffect(call(body), 5, { concurrency: "unbounded" }))
      // A later call that gets its response shows that the earlier ones have reached the provider or share a request.
      yield* call(sitesGet)
      yield* release
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
})
