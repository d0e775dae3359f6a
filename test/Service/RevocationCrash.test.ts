import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { RealPostgres } from "../support/RealPostgres.ts"
import { dataFolder, startServer } from "../support/ServerProcess.ts"
import { freshGrant } from "../support/TestServer.ts"

const count = 40

layer(Layer.merge(RealPostgres.layer, LoopbackUpstream.layer), { excludeTestServices: true })(
  "A mass revocation whose instance is killed",
  (it) => {
    it.effect(
      "stops calls on every instance within a second, and goes on in another one",
      () =>
        Effect.gen(function*() {
          const upstream = yield* LoopbackUpstream
          const revoked = new Set<string>()
          upstream.handle(({ body, headers, url }) => (response) => {
            const form = new URLSearchParams(body)
            const token = form.get("token") ?? form.get("refresh_token") ?? headers.authorization ?? ""
            const name = /(?:refresh|access)-(.*)-0123456789/.exec(token)?.[1] ?? ""
            const send = (status: number, answer: unknown) =>
              void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer))
            if (url.startsWith("/revoke")) {
              // Slow, so that the instance dies in the middle.
              setTimeout(() => {
                send(revoked.has(name) ? 400 : 200, revoked.has(name) ? { error: "invalid_token" } : {})
                revoked.add(name)
              }, 300)
            } else if (url.startsWith("/token")) send(400, { error: "invalid_grant" })
            else send(revoked.has(name) ? 401 : 200, revoked.has(name) ? { error: { code: 401 } } : { siteEntry: [] })
          })
          const settings = {
            DATABASE_URL: Redacted.value(
              yield* Effect.flatten(Effect.map(RealPostgres, (each) => each.createDatabase))
            ),
            ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
            ADMIN_TOKEN: randomBytes(32).toString("base64url"),
            GSC_BASE_URL: `${upstream.url}/gsc`,
            GOOGLE_REVOKE_URL: `${upstream.url}/revoke`,
            GOOGLE_TOKEN_URL: `${upstream.url}/token`,
            GOOGLE_CLIENT_ID: "test-client-id",
            GOOGLE_CLIENT_SECRET: "GOCSPX-test-client-secret",
            QUOTAS: "off"
          }
          const first = yield* startServer(yield* dataFolder, settings)
          const second = yield* startServer(yield* dataFolder, settings)
          const connections = yield* Effect.forEach(Array.from({ length: count }, (_, index) => index), (index) =>
            first.admin.managedConnections.create({
              payload: { provider: "gsc", auth_type: "oauth", label: "acme", credentials: freshGrant(`crash-${index}`) }
            }))
          const member = yield* first.admin.members.create({ payload: { email: "a@example.com", client_ids: null } })
          const { key } = yield* first.admin.keys.create({ payload: { member_id: member.id, name: "key" } })
          const call = Effect.promise(() =>
            second.send("POST", "/v1/call", key, {
              provider: "gsc",
              endpoint: "sites.list",
              connection_id: connections[0]?.id
            })
          )
          assert.strictEqual((yield* call).status, 200)

          const { id } = yield* first.admin.revocations.start({ payload: { provider: "gsc" } })
          const at = performance.now()
          const { status } = yield* eventually(call, ({ status }) =>
            status !== 200)
          assert.strictEqual(status, 409)
          assert.isBelow(performance.now() - at, 1000)

          const revocation = Effect.orDie(second.admin.revocations.get({ params: { id } }))
          yield* eventually(revocation, ({ counts }) =>
            counts.revoked > 0)
          yield* first.kill("SIGKILL")
          yield* first.ended
          assert.isAbove((yield* revocation).counts.pending, 0)
          const { connections: lines, counts } = yield* eventually(revocation, ({ status }) => status === "done")
          assert.deepStrictEqual([counts.connections, counts.revoked, counts.verified], [count, count, count])
          assert.sameMembers(lines.map(({ id }) => id), connections.map(({ id }) => id))
          assert.strictEqual(revoked.size, count)
          const { entries } = yield* second.admin.audit.list({ query: { action: "connection.revoked", limit: 200 } })
          assert.sameMembers(entries.map(({ subject }) => subject.id), connections.map(({ id }) => id))
        }),
      120_000
    )
  }
)
