import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { newId } from "../../../src/Domain/NewId.ts"
import { Outbox } from "../../../src/Events/Outbox.ts"
import { Clients } from "../../../src/Management/Clients.ts"
import { Members } from "../../../src/Management/Members.ts"
import { Audit } from "../../../src/Members/Audit.ts"
import { Invalidation } from "../../../src/Sql/Invalidation.ts"
import { migrate } from "../../../src/Sql/Migrations.ts"
import makeEmailsUnique from "../../../src/Sql/migrations/0018_make_emails_unique.ts"
import { EmptyDatabase, type StorageTests } from "../StorageFixture.ts"

const start = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const logged: Array<string> = []
  const logger = Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])
  const members = yield* Members.pipe(Effect.provide(
    Layer.fresh(Members.layer.pipe(
      Layer.provide(Clients.layer),
      Layer.provide([Audit.layer.pipe(Layer.provide(Outbox.layer)), Invalidation.layerLocal]),
      Layer.provide(Layer.succeed(SqlClient.SqlClient, sql)),
      Layer.provideMerge(logger)
    ))
  ))
  return { logged, members }
})

export const storedMembers: StorageTests = (it) =>
  describe("stored members", () => {
    it.effect("only one of two members gets an e-mail address that both take at the same time", () =>
      Effect.gen(function*() {
        const members = yield* Members
        const [one, two] = [yield* members.create({ email: "one@race" }), yield* members.create({ email: "two@race" })]
        const taken = yield* Effect.forEach(
          [
            members.create({ email: "Race@example.com" }),
            members.create({ email: "race@EXAMPLE.com" }),
            members.change(one.id, { email: "RACE@example.com" }),
            members.change(two.id, { email: "race@example.com" })
          ],
          (change: Effect.Effect<unknown, { readonly _tag: string }>) => Effect.result(change),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          taken.map((result) => result._tag === "Failure" ? result.failure._tag : "ok").toSorted(),
          ["EmailTaken", "EmailTaken", "EmailTaken", "ok"]
        )
      }))

    it.effect("the service starts with e-mail addresses that differ only by case, and logs their members", () =>
      Effect.gen(function*() {
        const [sql] = yield* (yield* EmptyDatabase).clients(1)
        if (sql === undefined) return assert.fail("no client")
        yield* Effect.provideService(migrate, SqlClient.SqlClient, sql)
        yield* sql`ALTER TABLE members DROP COLUMN shares_email`
        yield* sql`DROP INDEX IF EXISTS members_email`
        yield* sql`DELETE FROM members`
        const ids: Array<string> = []
        for (const email of ["Ada@example.com", "ada@example.com", "bea@example.com", "ADA@example.com"]) {
          const id = yield* newId("mem")
          ids.push(id)
          yield* sql`INSERT INTO members ${sql.insert({ id, email, created_at: new Date(0) })}`
        }
        const [ada = "", second = "", bea = "", third = ""] = ids
        yield* Effect.provideService(makeEmailsUnique, SqlClient.SqlClient, sql)

        const { logged: [warning = ""], members } = yield* start(sql)
        assert.include(warning, "2 members have the e-mail address of an older member")
        for (const id of [second, third]) assert.include(warning, id)
        for (const id of [ada, bea, "example.com"]) assert.notInclude(warning, id)
        const { items } = yield* members.list({})
        assert.deepStrictEqual(items.map(({ email }) => email), [
          "ADA@example.com",
          "bea@example.com",
          "ada@example.com",
          "Ada@example.com"
        ])

        assert.strictEqual((yield* Effect.flip(members.create({ email: "ada@Example.com" })))._tag, "EmailTaken")
        assert.strictEqual((yield* Effect.flip(members.change(third, { email: "ada@example.com" })))._tag, "EmailTaken")
        yield* members.change(third, { name: "Ada" })
        yield* members.change(third, { email: "third@example.com" })
        assert.strictEqual((yield* Effect.flip(members.create({ email: "THIRD@example.com" })))._tag, "EmailTaken")
        yield* members.delete(ada)
        assert.deepStrictEqual((yield* start(sql)).logged, [])
        assert.strictEqual((yield* Effect.flip(members.create({ email: "ada@example.com" })))._tag, "EmailTaken")
      }))
  })
