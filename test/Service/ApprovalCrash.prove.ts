import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import type { ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { RealPostgres } from "../support/RealPostgres.ts"
import { type ServerProcess, startServer } from "../support/ServerProcess.ts"
import { cookieOf, ownPage } from "../support/SignedIn.ts"

const submit = (page: string) => ({
  provider: "sitesearch",
  endpoint: "SubmitUrl",
  input: { body: { siteUrl: "https://example.com/", url: `https://example.com/${page}` } }
})

/** Two instances with a key that asks, and its member, who is signed in. */
const start = Effect.gen(function*() {
  const upstream = yield* LoopbackUpstream.make
  const url = Redacted.value(yield* (yield* RealPostgres).createDatabase)
  const instance = startServer(join(tmpdir(), "openaccounts-nothing"), {
    DATABASE_URL: url,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    ADMIN_TOKEN: randomBytes(32).toString("base64url"),
    SITESEARCH_BASE_URL: upstream.url,
    // The test asks more often than a browser.
    RATE_LIMIT: "1000/second"
  })
  const [survivor, victim] = yield* Effect.all([instance, instance], { concurrency: "unbounded" })
  const { admin } = survivor
  const { id: member_id } = yield* admin.members.create({ payload: { email: "ada@example.com", client_ids: null } })
  const { key } = yield* admin.keys.create({
    payload: { member_id, name: "asks", access: "read_write", writes: "ask" }
  })
  yield* admin.managedConnections.create({
    payload: {
      provider: "sitesearch",
      auth_type: "api_key",
      credentials: { api_key: "0123456789abcdef" },
      label: "ada"
    }
  })
  const link = yield* admin.members.createLink({ params: { id: member_id } })
  const session = yield* Effect.promise(() =>
    fetch(`${survivor.url}/auth/link`, {
      method: "POST",
      headers: ownPage,
      body: JSON.stringify({ token: new URL(link.url).hash.slice(1) })
    })
  )
  const headers = { ...ownPage, cookie: cookieOf(session) }

  const call = (page: string) => Effect.promise(() => survivor.send("POST", "/v1/call", key, submit(page)))
  const get = (id: string) =>
    Effect.map(
      Effect.promise(() => survivor.send("GET", `/v1/approvals/${id}`, key)),
      ({ text }) => JSON.parse(text)
    )
  return {
    upstream,
    url,
    survivor,
    victim,
    call,
    get,
    ask: (page: string) => Effect.map(call(page), ({ text }): string => JSON.parse(text).error.details.approval_id),
    approve: (server: ServerProcess, id: string) =>
      fetch(`${server.url}/v1/approvals/${id}/approve`, { method: "POST", headers })
        .then((response) => response.json()),
    /** How often the provider was asked to write it. */
    sent: (page: string) => upstream.requests.filter(({ body }) => body.includes(`/${page}"`)).length
  }
})

const connect = (connectionString: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

const query = (client: Client, text: string) =>
  Effect.promise(async () => (await client.query<{ readonly pid: number }>(text)).rows)

layer(RealPostgres.layer, { excludeTestServices: true })("A write that a person has approved", (it) => {
  it.effect("on two instances at the same time is sent once", () =>
    Effect.gen(function*() {
      const { approve, ask, get, sent, survivor, upstream, victim } = yield* start
      upstream.handle(() => ({ body: { d: null } }))
      const pages = Array.from({ length: 10 }, (_, index) => `both-${index}`)
      const ids = yield* Effect.forEach(pages, ask)
      yield* Effect.promise(() =>
        Promise.all(
          ids.flatMap((id) => [survivor, victim, survivor, victim].map((server) => approve(server, id)))
        )
      )
      for (const [index, id] of ids.entries()) {
        const { call_id, response, status } = yield* get(id)
        assert.deepStrictEqual([status, response.call_id, response.data], ["done", call_id, { d: null }])
        assert.strictEqual(sent(`both-${index}`), 1)
      }
    }).pipe(Effect.scoped))

  it.effect(
    "is never sent twice, wherever its instance is killed, and another one finds out what came of it",
    () =>
      Effect.gen(function*() {
        const { approve, ask, call, get, sent, survivor, upstream, url, victim } = yield* start
        const held = new Map<string, ServerResponse>()
        upstream.handle(({ body }) => {
          const page = new URL(JSON.parse(body).url).pathname.slice(1)
          return held.has(page) || page === "decided"
            ? { body: { d: null } }
            : (response) => void held.set(page, response)
        })
        const answer = (page: string) =>
          Effect.sync(() =>
            held.get(page)?.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ d: null }))
          )
        const ids = {
          decided: yield* ask("decided"),
          sent: yield* ask("sent"),
          answered: yield* ask("answered"),
          logged: yield* ask("logged")
        }
        const database = yield* connect(url)
        const watching = yield* connect(url)
        const waiting = (statement: string) =>
          query(
            watching,
            `SELECT pid FROM pg_stat_activity
             WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '%${statement}%'`
          )
        const reaches = (statement: string) =>
          Effect.map(
            eventually(waiting(statement), ({ length }) => length > 0),
            (found) => assert.isNotEmpty(found, statement)
          )
        const lost: Array<Promise<unknown>> = []
        const approveOnVictim = (id: string) =>
          Effect.sync(() => void lost.push(approve(victim, id).then(() => "answered", () => "lost")))

        for (const page of ["sent", "answered", "logged"] as const) yield* approveOnVictim(ids[page])
        yield* eventually(Effect.sync(() => held.size), (size) => size === 3)
        // The steps after the answer, and before the sending, wait for locks.
        yield* query(database, "BEGIN")
        yield* query(database, `SELECT 1 FROM approvals WHERE id = '${ids.logged}' FOR UPDATE`)
        yield* answer("logged")
        yield* reaches("UPDATE approvals SET status = ''done''")
        yield* query(database, "LOCK TABLE calls IN SHARE MODE")
        yield* answer("answered")
        yield* reaches("INSERT INTO \"calls\"")
        yield* query(database, "LOCK TABLE idempotency_keys IN SHARE MODE")
        yield* approveOnVictim(ids.decided)
        yield* reaches("INSERT INTO idempotency_keys")
        yield* victim.kill("SIGKILL")
        yield* victim.ended
        assert.deepStrictEqual(yield* Effect.promise(() => Promise.all(lost)), lost.map(() => "lost"))
        for (const { pid } of yield* waiting("")) yield* query(watching, `SELECT pg_terminate_backend(${pid})`)
        yield* query(database, "ROLLBACK")

        for (const [page, id] of Object.entries(ids)) {
          const { call_id, response } = yield* eventually(get(id), ({ status }) => status === "done")
          const isKnown = page === "decided" || page === "logged"
          assert.strictEqual(response.error?.code, isKnown ? undefined : "outcome_unknown", page)
          assert.strictEqual(response.call_id, call_id, page)
          assert.strictEqual(sent(page), 1, page)
          yield* Effect.promise(() => approve(survivor, id))
          const repeated = JSON.parse((yield* call(page)).text)
          assert.deepStrictEqual(repeated, response, "an equal call gets the response")
          assert.strictEqual(sent(page), 1, page)
        }
      }).pipe(Effect.scoped),
    120_000
  )
})
