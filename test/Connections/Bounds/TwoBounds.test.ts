import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber } from "effect"
import { callTool, toolOf } from "../../Features/Mcp/McpFixture.ts"
import { memberWith } from "../../Http/Fixture.ts"
import { assertError } from "../../support/Answer.ts"
import { eventually } from "../../support/Eventually.ts"
import { holdReplies, LoopbackUpstream, type Recorded, type Reply } from "../../support/LoopbackUpstream.ts"
import { newGrant } from "../../support/NewGrant.ts"
import { RealPostgres } from "../../support/RealPostgres.ts"
import { keyFor, seed, TestServer } from "../../support/TestServer.ts"
import { type Instance, TwoInstances } from "../TwoInstances.ts"

const domains = ["acme.com", "other.com"]

const serverOf = (instance: Instance) => Context.get(instance, TestServer)

const handle = (instances: ReadonlyArray<Instance>, reply: Parameters<LoopbackUpstream["Service"]["handle"]>[0]) => {
  for (const instance of instances) Context.get(instance, LoopbackUpstream).handle(reply)
}

const sent = (instances: ReadonlyArray<Instance>) =>
  instances.reduce((sum, instance) => sum + Context.get(instance, LoopbackUpstream).requests.length, 0)

const siteOf = ({ url }: Recorded) => decodeURIComponent(/\/sites\/([^/?]+)/.exec(url)?.[1] ?? "")

const searchConsole = (request: Recorded): Reply => {
  const site = siteOf(request)
  if (site === "") return { body: { siteEntry: domains.map((domain) => ({ siteUrl: `sc-domain:${domain}` })) } }
  return request.method === "GET"
    ? { body: { siteUrl: site } }
    : { body: { rows: [{ keys: [`query of ${site}`], clicks: 1, impressions: 2, ctr: 0.5, position: 1 }] } }
}

/** Refuses the first request for each URL, which the service then sends again. */
const unsteady = () => {
  const seen = new Set<string>()
  return (request: Recorded): Reply => {
    if (seen.has(request.url)) return searchConsole(request)
    seen.add(request.url)
    return { status: 503, body: {} }
  }
}

const callsAbout = (domain: string) => [
  { provider: "gsc", endpoint: "sites.get", input: { path: { siteUrl: `sc-domain:${domain}` } } },
  { provider: "gsc", tool: "gsc_top_queries", input: { site: `sc-domain:${domain}` } }
]

const listSites = { provider: "gsc", endpoint: "sites.list", input: {} }

interface Caller {
  readonly name: string
  readonly key: string
  /** `undefined` where nothing limits it. */
  readonly domain?: string
}

/** One account, used with two bounds: by keys, by grants of agents, and by connections derived from it. */
const makeCallers = Effect.gen(function*() {
  const { admin } = yield* TestServer
  const { connection, member, readOnly } = yield* seed()
  const callers: Array<Caller> = [{ name: "everything", key: readOnly }]
  for (const domain of domains) {
    const resources = [`gsc:sc-domain:${domain}`]
    const key = yield* keyFor(member, { resources })
    const { token } = yield* newGrant({ memberId: member.id, resources })
    const client = yield* admin.clients.create({ payload: { name: domain } })
    yield* admin.managedConnections.create({
      payload: { parent_id: connection.id, client_id: client.id, label: domain, resources }
    })
    const derived = yield* memberWith([client.id])
    callers.push(
      { name: `key for ${domain}`, key, domain },
      { name: `agent for ${domain}`, key: token, domain },
      { name: `client ${domain}`, key: derived.readOnly, domain }
    )
  }
  return callers
})

/** What a caller got that its bound does not allow, and what it should have got. */
const faultsOf = Effect.fnUntraced(function*(instance: Instance, { domain, key, name }: Caller) {
  const faults: Array<string> = []
  const send = Effect.fnUntraced(function*(body: object, allowed: ReadonlyArray<string>) {
    const asked = JSON.stringify(body)
    const [tool, args] = toolOf(body)
    const rest = serverOf(instance).call(key, body)
    const agent = Effect.map(
      Effect.provideContext(callTool(key, tool, args), instance),
      ({ isError, text }) => ({ status: isError ? 404 : 200, text })
    )
    for (const { status, text } of yield* Effect.all([rest, agent, rest], { concurrency: "unbounded" })) {
      const found = domains.filter((each) => text.includes(each))
      const expected = status === 200 ? allowed : domains.filter((each) => asked.includes(each))
      if ((status === 200) !== (allowed.length > 0) || found.join() !== expected.join()) {
        faults.push(`${name} got ${status} for ${asked}: ${text}`)
      }
    }
  })
  const own = domain === undefined ? domains : [domain]
  yield* Effect.all([
    send({ ...listSites, max_age: 600 }, own),
    ...domains.flatMap((each) =>
      callsAbout(each).map((call) => send({ ...call, max_age: 600 }, own.filter((domain) => domain === each)))
    )
  ], { concurrency: "unbounded" })
  return faults
})

const createSheet = {
  provider: "gsheets",
  endpoint: "spreadsheets.create",
  input: { body: { properties: { title: "t" } } }
}
const createWithTool = { provider: "gsheets", tool: "sheets_create", input: { title: "New" } }

const clearSheet = (spreadsheetId: string) => ({
  provider: "gsheets",
  endpoint: "values.clear",
  input: { path: { spreadsheetId, range: "A1" } }
})

layer(RealPostgres.layer, { excludeTestServices: true })("One account with two bounds", (it) => {
  it.layer(TwoInstances.layer)("on two instances", (it) => {
    it.effect("gives each its own, together in flight, from the cache, after retries, and to agents", () =>
      Effect.gen(function*() {
        const instances = yield* TwoInstances
        const callers = yield* Effect.provideContext(makeCallers, instances[0])
        const { holding, release } = yield* holdReplies(unsteady())
        handle(instances, holding)
        const all = Effect.forEach(
          instances.flatMap((instance) => callers.map((caller) => faultsOf(instance, caller))),
          (faults) => faults,
          { concurrency: "unbounded" }
        )
        const together = yield* Effect.forkChild(all, { startImmediately: true })
        // No answer is there before each instance asks for what its five bounds see.
        for (const instance of instances) {
          const { requests } = Context.get(instance, LoopbackUpstream)
          const lists = Effect.sync(() => requests.filter((request) => siteOf(request) === "").length)
          yield* eventually(lists, (count) => count >= 5)
        }
        yield* release
        assert.deepStrictEqual((yield* Fiber.join(together)).flat(), [])
        const asked = sent(instances)
        assert.deepStrictEqual((yield* all).flat(), [])
        assert.strictEqual(sent(instances), asked)
      }))

    it.effect("follows a bound that was changed on the other instance", () =>
      Effect.gen(function*() {
        const instances = yield* TwoInstances
        const [here, there] = instances
        handle(instances, searchConsole)
        const { admin } = serverOf(here)
        const { connection, member, readOnly } = yield* Effect.provideContext(seed(), here)
        const { id, key } = yield* admin.keys.create({ payload: { member_id: member.id, name: "bound" } })
        const { grant, token } = yield* Effect.provideContext(newGrant({ memberId: member.id }), here)
        const narrowed = { payload: { resources: ["gsc:sc-domain:acme.com"] } }
        const changes = [
          { key, change: admin.keys.change({ params: { id }, ...narrowed }) },
          { key: token, change: admin.grants.change({ params: { id: grant.id }, ...narrowed }) },
          { key: readOnly, change: admin.managedConnections.change({ params: { id: connection.id }, ...narrowed }) }
        ]
        const listed = (key: string) => Effect.map(serverOf(there).call(key, listSites), ({ text }) => text)
        for (const { change, key } of changes) {
          assert.include(yield* listed(key), "other.com")
          yield* change
          const text = yield* eventually(listed(key), (text) => !text.includes("other.com"))
          assert.include(text, "acme.com")
        }
      }))

    it.effect("repeats the response to a write only inside the bound of who repeats it", () =>
      Effect.gen(function*() {
        const instances = yield* TwoInstances
        let files = 0
        handle(instances, () => ({
          body: {
            spreadsheetId: `file-${++files}`,
            properties: { title: "New" },
            sheets: [{ properties: { sheetId: 0, title: "Sheet1" } }]
          }
        }))
        const [here, there] = instances
        const { admin } = serverOf(here)
        const { member } = yield* Effect.provideContext(seed({ provider: "gsheets" }), here)
        const keyFor = (...resources: ReadonlyArray<string>) =>
          Effect.map(
            admin.keys.create({ payload: { member_id: member.id, name: "bound", access: "read_write", resources } }),
            ({ key }) => key
          )
        const send = (instance: Instance, key: string, body: object, name: string) =>
          serverOf(instance).request("POST", "/v1/call", { key, body, headers: { "idempotency-key": name } })
        const [acme, other, creator, creatorToo] = [
          yield* keyFor("gsheets:acme"),
          yield* keyFor("gsheets:other"),
          yield* keyFor("gsheets:created"),
          yield* keyFor("gsheets:created")
        ]
        const tried = [
          { body: clearSheet("acme"), owner: acme, other, outside: "gsheets:acme" },
          { body: createSheet, owner: creator, other: creatorToo, outside: "gsheets:created" },
          { body: createWithTool, owner: creator, other: creatorToo, outside: "gsheets:created" }
        ]
        for (const [index, { body, other, outside, owner }] of tried.entries()) {
          const name = `write-${index}`
          const first = yield* send(here, owner, body, name)
          assert.strictEqual(first.status, 200, first.text)
          for (const instance of instances) {
            const again = yield* send(instance, owner, body, name)
            assert.deepStrictEqual([again.headers.get("idempotency-replayed"), again.text], ["true", first.text])
            assertError(yield* send(instance, other, body, name), 404, "resource_not_found", { resource: outside })
          }
        }
        assert.strictEqual(files, tried.length)
        assert.strictEqual((yield* serverOf(there).call(creator, clearSheet("file-2"))).status, 200)
        assertError(yield* serverOf(there).call(creatorToo, clearSheet("file-2")), 404, "resource_not_found", {
          resource: "gsheets:file-2"
        })
      }))
  })
})
