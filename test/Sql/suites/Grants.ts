import { assert, describe } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Audit } from "../../../src/Audit/Audit.ts"
import { Auth } from "../../../src/Auth/Auth.ts"
import type { NewGrant } from "../../../src/Domain/Access/Grant.ts"
import { newId } from "../../../src/Domain/NewId.ts"
import { CurrentActor, memberActor } from "../../../src/Domain/Request/Actor.ts"
import { Grants } from "../../../src/Features/AgentAccess/Grants.ts"
import { Members } from "../../../src/Management/Members.ts"
import { generateGrantToken } from "../../../src/Secrets/IssuedSecrets.ts"
import { newToken } from "../../support/NewGrant.ts"
import { bearer, newKey, otherAuth, refuses } from "../KnownKeys.ts"
import { connect } from "../NewConnection.ts"
import type { StorageTests } from "../StorageFixture.ts"

const agent = { name: "Reporter", clientId: "https://agent.example/client.json" }

const newGrant = Effect.fnUntraced(function*(options: Partial<NewGrant> & { readonly scope?: string } = {}) {
  const { client, member } = yield* newKey
  const connection = yield* connect({ clientId: client.id })
  const grants = yield* Grants
  const grant = yield* grants.create({
    memberId: member.id,
    agent,
    access: "read_write",
    connectionIds: null,
    ...options
  })
  return { client, member, connection, grants, grant, token: yield* newToken({ ...options, grantId: grant.id }) }
})

const tokensOf = (grantId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 FROM oauth_tokens WHERE grant_id = ${grantId}`).pipe(
    Effect.map(({ length }) => length)
  )

export const storedGrants: StorageTests = (it) =>
  describe("grants", () => {
    it.effect("a token has the rights of its grant and the limits of its member, narrowed by its own scope", () =>
      Effect.gen(function*() {
        const auth = yield* Auth
        const { client, connection, grant, grants, member, token } = yield* newGrant()
        const principal = {
          via: "grant" as const,
          grantId: grant.id,
          memberId: member.id,
          access: "read_write" as const,
          clientIds: [client.id],
          connectionIds: null,
          resources: null,
          writes: "allow" as const,
          undo: true,
          budget: null,
          memberBudget: null,
          boundedAt: null
        }
        assert.deepStrictEqual(yield* auth.authenticate(bearer(token)), principal)
        const forReading = ["read", "", "writes", "read rewrite", null]
        for (const scope of forReading) {
          const narrow = yield* newToken({ grantId: grant.id, scope })
          assert.deepStrictEqual(yield* auth.authenticate(bearer(narrow)), { ...principal, access: "read_only" })
        }
        assert.strictEqual(
          (yield* auth.authenticate(bearer(yield* newToken({ grantId: grant.id, scope: "write" })))).access,
          "read_write"
        )
        yield* grants.change(grant.id, { access: "read_only", connection_ids: [connection.id] })
        assert.deepStrictEqual(yield* auth.authenticate(bearer(token)), {
          ...principal,
          access: "read_only",
          connectionIds: [connection.id]
        })
        const { last_used_at } = yield* grants.find(grant.id)
        assert.deepStrictEqual(last_used_at, grant.created_at)
      }))

    it.effect("expired and consumed tokens, those of other kinds and of unknown grants are refused", () =>
      Effect.gen(function*() {
        const auth = yield* Auth
        const { grant } = yield* newGrant()
        const grantId = grant.id
        const typo = Redacted.make(`${Redacted.value(generateGrantToken("access")).slice(0, -6)}000000`)
        const wrong = [
          { grantId, expiresIn: 0 },
          { grantId, consumed: true },
          { grantId, kind: "AuthorizationCode" },
          { grantId, kind: "RefreshToken", token: generateGrantToken("refresh") },
          { grantId, token: generateGrantToken("refresh") },
          { grantId, token: typo },
          { grantId: yield* newId("gra") }
        ]
        for (const token of wrong) yield* refuses(auth, yield* newToken(token))
        yield* refuses(auth, generateGrantToken("access"))

        const brief = yield* newToken({ grantId, expiresIn: 10_000 })
        yield* auth.authenticate(bearer(brief))
        yield* TestClock.adjust("11 seconds")
        yield* refuses(auth, brief)
      }))

    it.effect("a change and a revocation apply immediately, and on another instance within a second", () =>
      Effect.gen(function*() {
        const [here, there] = [yield* Auth, yield* otherAuth]
        const { grant, grants, token } = yield* newGrant({ access: "read_only" })
        const forReading = yield* newToken({ grantId: grant.id, scope: "read" })
        const accesses = (auth: Auth["Service"]) =>
          Effect.forEach(
            [token, forReading],
            (one) => Effect.map(auth.authenticate(bearer(one)), ({ access }) => access)
          )
        assert.deepStrictEqual(yield* accesses(here), ["read_only", "read_only"])
        assert.deepStrictEqual(yield* accesses(there), ["read_only", "read_only"])
        yield* grants.change(grant.id, { access: "read_write" })
        assert.deepStrictEqual(yield* accesses(here), ["read_write", "read_only"])
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* accesses(there), ["read_write", "read_only"])

        const revoked = yield* grants.revoke(grant.id)
        assert.isNotNull(revoked.revoked_at)
        yield* refuses(here, token)
        yield* TestClock.adjust("1 second")
        yield* refuses(there, token)
        assert.strictEqual(yield* tokensOf(grant.id), 0)
        assert.deepStrictEqual(yield* grants.revoke(grant.id), revoked)
        yield* refuses(here, yield* newToken({ grantId: grant.id }))
        assert.strictEqual((yield* Effect.flip(grants.change(grant.id, { access: "read_only" })))._tag, "InvalidInput")
      }))

    it.effect("a grant is limited and deleted with its member", () =>
      Effect.gen(function*() {
        const auth = yield* Auth
        const members = yield* Members
        const { grant, grants, member, token } = yield* newGrant()
        yield* auth.authenticate(bearer(token))
        yield* members.change(member.id, { client_ids: [] })
        assert.deepStrictEqual((yield* auth.authenticate(bearer(token))).clientIds, [])
        yield* members.delete(member.id)
        yield* refuses(auth, token)
        assert.isNotNull((yield* grants.find(grant.id)).revoked_at)
        assert.strictEqual(yield* tokensOf(grant.id), 0)
        const again = grants.create({ memberId: member.id, agent, access: "read_only", connectionIds: null })
        assert.strictEqual((yield* Effect.flip(again))._tag, "MemberNotFound")
      }))

    it.effect("the end of a grant is an event once, also when its member is deleted", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const webhook = yield* newId("whk")
        const [url, secret] = ["https://events.example/", Buffer.of()]
        yield* sql`INSERT INTO webhooks (id, url, events, enabled, secret, encryption_key_id, created_at)
          VALUES (${webhook}, ${url}, ARRAY['grant.revoked'], true, ${secret}, 'k1', now())`
        const { grant, grants, member } = yield* newGrant()
        const other = yield* grants.create({ memberId: member.id, agent, access: "read_only", connectionIds: null })
        yield* Effect.replicateEffect(grants.revoke(grant.id), 2)
        yield* (yield* Members).delete(member.id)
        const recorded = yield* sql<{ readonly body: string }>`
          SELECT events.body FROM deliveries JOIN events ON events.id = deliveries.event_id
          WHERE webhook_id = ${webhook} ORDER BY events.id`
        assert.deepStrictEqual(
          recorded.map(({ body }) => JSON.parse(body).data.grant),
          JSON.parse(JSON.stringify([yield* grants.find(grant.id), yield* grants.find(other.id)]))
        )
      }))

    it.effect("the audit has each creation, change and revocation, and no token", () =>
      Effect.gen(function*() {
        const { connection, grant, grants, member, token } = yield* newGrant()
        const as = Effect.provideService(CurrentActor, memberActor(member.id))
        yield* as(grants.change(grant.id, { connection_ids: [connection.id] }))
        yield* as(grants.change(grant.id, { connection_ids: [connection.id] }))
        yield* as(grants.revoke(grant.id))
        yield* as(grants.revoke(grant.id))
        const { items } = yield* (yield* Audit).list({ subject: grant.id }, {})
        const details = {
          member_id: member.id,
          agent: { name: agent.name, client_id: agent.clientId },
          access: "read_write",
          resources: null,
          writes: "allow",
          undo: true,
          budget: null
        }
        assert.deepStrictEqual(items.map(({ action, details }) => ({ action, details })), [
          { action: "grant.revoked", details: { ...details, connection_ids: [connection.id] } },
          { action: "grant.changed", details: { connection_ids: { from: null, to: [connection.id] } } },
          { action: "grant.created", details: { ...details, connection_ids: null } }
        ])
        assert.deepStrictEqual(items[0]?.actor, { type: "member", member_id: member.id })
        assert.notInclude(JSON.stringify(items), Redacted.value(token).slice(4))
      }))
  })
