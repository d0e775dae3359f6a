import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { Client } from "pg"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { RealPostgres } from "../support/RealPostgres.ts"
import { startServer } from "../support/ServerProcess.ts"
import { freshGrant } from "../support/TestServer.ts"

/** With `REVOKED_CONNECTIONS=5000` and `CRASHES=2` it takes about a minute. */
const count = Number(process.env["REVOKED_CONNECTIONS"] ?? 40)
const crashes = Number(process.env["CRASHES"] ?? 1)

/** A provider that stops answering before each crash, so that instances die while they wait for it. */
const playProvider = Effect.fnUntraced(function*() {
  const upstream = yield* LoopbackUpstream
  const revoked = new Set<string>()
  let held: Array<() => void> = []
  let allowed = Infinity
  upstream.handle(({ body, headers, url }) => (response) => {
    const form = new URLSearchParams(body)
    const token = form.get("token") ?? form.get("refresh_token") ?? headers.authorization ?? ""
    const name = /(?:refresh|access)-(.*)-0123456789/.exec(token)?.[1] ?? ""
    const send = (status: number, answer: unknown) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer))
    const revoke = () => {
      send(revoked.has(name) ? 400 : 200, revoked.has(name) ? { error: "invalid_token" } : {})
      revoked.add(name)
    }
    if (url.startsWith("/revoke")) {
      if (revoked.size < allowed) revoke()
      else held.push(revoke)
    } else if (url.startsWith("/token")) send(400, { error: "invalid_grant" })
    else send(revoked.has(name) ? 401 : 200, revoked.has(name) ? { error: { code: 401 } } : { siteEntry: [] })
  })
  return {
    url: upstream.url,
    revoked,
    holdAfter: (count: number) => void (allowed = count),
    held: () => held.length,
    release: () => {
      for (const revoke of held) revoke()
      held = []
    }
  }
})

layer(Layer.merge(RealPostgres.layer, LoopbackUpstream.layer), { excludeTestServices: true })(
  "A mass revocation whose instance is killed",
  (it) => {
    it.effect("stops calls on every instance within a second, and goes on in another one", () =>
      Effect.gen(function*() {
        const provider = yield* playProvider()
        const database = Redacted.value(yield* Effect.flatten(Effect.map(RealPostgres, (each) => each.createDatabase)))
        const sql = yield* Effect.acquireRelease(
          Effect.promise(async () => {
            const client = new Client({ connectionString: database })
            await client.connect()
            return client
          }),
          (client) => Effect.promise(() => client.end())
        )
        const start = Effect.flatMap(dataFolder, (folder) => startServer(folder, settings))
        const settings = {
          DATABASE_URL: database,
          ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
          ADMIN_TOKEN: randomBytes(32).toString("base64url"),
          GSC_BASE_URL: `${provider.url}/gsc`,
          GOOGLE_REVOKE_URL: `${provider.url}/revoke`,
          GOOGLE_TOKEN_URL: `${provider.url}/token`,
          GOOGLE_CLIENT_ID: "test-client-id",
          GOOGLE_CLIENT_SECRET: "GOCSPX-test-client-secret",
          QUOTAS: "off"
        }
        const first = yield* start
        const instances = [first, yield* start]
        const connections = yield* Effect.forEach(
          Array.from({ length: count }, (_, index) => index),
          (index) =>
            first.admin.managedConnections.create({
              payload: { provider: "gsc", auth_type: "oauth", label: "acme", credentials: freshGrant(`crash-${index}`) }
            }),
          { concurrency: 8 }
        )
        const member = yield* first.admin.members.create({ payload: { email: "a@example.com", client_ids: null } })
        const { key } = yield* first.admin.keys.create({ payload: { member_id: member.id, name: "key" } })
        const callAll = Effect.forEach(instances, ({ send }) =>
          Effect.promise(() =>
            send("POST", "/v1/call", key, {
              provider: "gsc",
              endpoint: "sites.list",
              connection_id: connections[0]?.id
            })
          ))
        assert.deepStrictEqual((yield* callAll).map(({ status }) => status), [200, 200])

        provider.holdAfter(Math.floor(count / (crashes + 1)))
        const { id } = yield* first.admin.revocations.start({ payload: { provider: "gsc" } })
        const at = performance.now()
        let answeredAt = at
        yield* eventually(
          Effect.suspend(() => {
            const sentAt = performance.now()
            return Effect.tap(callAll, (answers) =>
              Effect.sync(() => {
                if (answers.some(({ status }) => status === 200)) answeredAt = sentAt
              }))
          }),
          (answers) => answers.every(({ status }) => status === 409)
        )
        // Within a second on a machine with nothing else to do.
        assert.isBelow(answeredAt - at, 5000)

        for (let crash = 1; crash <= crashes; crash++) {
          // More than one instance works on.
          yield* eventually(Effect.sync(provider.held), (held) => held > 16)
          const [killed, ...rest] = instances.splice(0)
          yield* killed?.kill("SIGKILL") ?? Effect.void
          yield* killed?.ended ?? Effect.void
          instances.push(...rest, ...crash < crashes ? [yield* start] : [])
          const [survivor] = rest
          const revocation = yield* survivor?.admin.revocations.get({ params: { id } }) ?? Effect.die("none")
          assert.isAbove(revocation.counts.pending, 0)
          // Half a minute later, when leases end.
          yield* Effect.promise(() => sql.query("UPDATE revocation_connections SET leased_until = now()"))
          provider.holdAfter(crash < crashes ? Math.floor(count * (crash + 1) / (crashes + 1)) : Infinity)
          provider.release()
        }

        const [last] = instances
        if (last === undefined) return assert.fail("No instance is left")
        const { connections: lines, counts } = yield* eventually(
          Effect.orDie(last.admin.revocations.get({ params: { id } })),
          ({ status }) => status === "done"
        )
        assert.deepStrictEqual([counts.connections, counts.revoked, counts.verified], [count, count, count])
        assert.sameMembers(lines.map(({ id }) => id), connections.map(({ id }) => id))
        assert.strictEqual(provider.revoked.size, count)
        const announced = yield* Effect.promise(() =>
          sql.query<{ readonly id: string }>(
            "SELECT subject_id AS id FROM audit WHERE action = 'connection.revoked'"
          )
        )
        assert.sameMembers(announced.rows.map(({ id }) => id), connections.map(({ id }) => id))
      }))
  }
)
