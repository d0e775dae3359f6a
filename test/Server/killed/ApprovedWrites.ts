import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { ServerResponse } from "node:http"
import { eventually } from "../../support/Eventually.ts"
import type { ServerProcess } from "../../support/ServerProcess.ts"
import { cookieOf, ownPage } from "../../support/SignedIn.ts"
import { bySitesearchKey } from "../../support/TestServer.ts"
import { call, Instances, type KilledTests, lost, reply } from "../Instances.ts"

const submit = (page: string) => ({
  provider: "sitesearch",
  endpoint: "SubmitUrl",
  input: { body: { siteUrl: "https://example.com/", url: `https://example.com/${page}` } }
})

/** A key whose writes a member approves, who is signed in. */
const asking = Effect.gen(function*() {
  const { seed, survivor, upstream } = yield* Instances
  const { admin } = survivor
  const { member } = yield* seed(bySitesearchKey)
  const { key } = yield* admin.keys.create({
    payload: { member_id: member.id, name: "asks", access: "read_write", writes: "ask" }
  })
  const link = yield* admin.memberLinks.create({ params: { id: member.id } })
  const session = yield* Effect.promise(() =>
    fetch(`${survivor.url}/auth/link`, {
      method: "POST",
      headers: ownPage,
      body: JSON.stringify({ token: new URL(link.url).hash.slice(1) })
    })
  )
  const headers = { ...ownPage, cookie: cookieOf(session) }
  const write = (page: string) => Effect.promise(() => call(survivor, key, submit(page)))
  return {
    write,
    get: (id: string) =>
      Effect.promise(async () => JSON.parse((await survivor.send("GET", `/v1/approvals/${id}`, key)).text)),
    ask: (page: string) => Effect.map(write(page), ({ value }): string => value.error.details.approval_id),
    approve: (server: ServerProcess, id: string) =>
      fetch(`${server.url}/v1/approvals/${id}/approve`, { method: "POST", headers }).then((answer) => answer.json()),
    /** How often the provider was asked to write it. */
    sent: (page: string) => upstream.requests.filter(({ body }) => body.includes(`/${page}"`)).length
  }
})

export const approvedWrites: KilledTests = (it) => {
  it.effect("that was sending an approved write leaves it to another one, which never sends it twice", () =>
    Effect.gen(function*() {
      const { killVictim, openDatabase, survivor, upstream, victim } = yield* Instances
      const { approve, ask, get, sent, write } = yield* asking
      const held = new Map<string, ServerResponse>()
      upstream.handle(({ body }) => {
        const page = new URL(JSON.parse(body).url).pathname.slice(1)
        return held.has(page) || page === "decided"
          ? { body: { d: null } }
          : (response) => void held.set(page, response)
      })
      const ids = {
        decided: yield* ask("decided"),
        sent: yield* ask("sent"),
        answered: yield* ask("answered"),
        logged: yield* ask("logged")
      }
      const query = yield* openDatabase
      const watch = yield* openDatabase
      const waiting = (statement: string) =>
        watch(`SELECT pid FROM pg_stat_activity
          WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '%${statement}%'`)
      const reaches = (statement: string) => eventually(waiting(statement), ({ length }) => length > 0)
      const server = yield* victim
      const approvals: Array<Promise<unknown>> = []
      const approveOnVictim = (id: string) => Effect.sync(() => void approvals.push(lost(approve(server, id))))

      for (const page of ["sent", "answered", "logged"] as const) yield* approveOnVictim(ids[page])
      yield* eventually(Effect.sync(() => held.size), (size) => size === 3)
      // The steps after the answer, and before the sending, wait for locks.
      yield* query("BEGIN")
      yield* query("SELECT 1 FROM approvals WHERE id = $1 FOR UPDATE", [ids.logged])
      reply(held.get("logged"), { d: null })
      yield* reaches("UPDATE approvals SET status = ''done''")
      yield* query("LOCK TABLE calls IN SHARE MODE")
      reply(held.get("answered"), { d: null })
      yield* reaches("INSERT INTO \"calls\"")
      yield* query("LOCK TABLE idempotency_keys IN SHARE MODE")
      yield* approveOnVictim(ids.decided)
      yield* reaches("INSERT INTO idempotency_keys")
      yield* killVictim
      assert.deepStrictEqual(yield* Effect.promise(() => Promise.all(approvals)), approvals.map(() => "lost"))
      for (const { pid } of yield* waiting("")) yield* watch("SELECT pg_terminate_backend($1)", [pid])
      yield* query("ROLLBACK")

      for (const [page, id] of Object.entries(ids)) {
        const { call_id, response } = yield* eventually(get(id), ({ status }) => status === "done")
        const isKnown = page === "decided" || page === "logged"
        assert.strictEqual(response.error?.code, isKnown ? undefined : "outcome_unknown", page)
        assert.strictEqual(response.call_id, call_id, page)
        assert.strictEqual(sent(page), 1, page)
        yield* Effect.promise(() => approve(survivor, id))
        assert.deepStrictEqual((yield* write(page)).value, response, "an equal call gets the response")
        assert.strictEqual(sent(page), 1, page)
      }
    }).pipe(Effect.scoped))
}
