import { Clock, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Audit, changesBetween } from "../Audit/Audit.ts"
import { MemberId } from "../Domain/Ids.ts"
import { Member } from "../Domain/Member.ts"
import { newId } from "../Domain/NewId.ts"
import { CurrentActor, memberActor } from "../Domain/Request/Actor.ts"
import { Invalidation } from "../Sql/Notify/Invalidation.ts"
import { rowsOf } from "../Sql/Rows.ts"

export const makeFirstAdmin = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const audit = yield* Audit
  const invalidation = yield* Invalidation
  const columns = sql`id, email, name, role, client_ids, budget, created_at`

  const promote = (before: Member, name: string | null) =>
    audit.change(
      members.all(sql`
        UPDATE members SET role = 'admin', client_ids = NULL, name = coalesce(name, ${name})
        WHERE id = ${before.id} RETURNING ${columns}`),
      ([after]) =>
        after === undefined
          ? []
          : [{
            action: "member.changed",
            subject: before.id,
            details: changesBetween(detailsOf(before), detailsOf(after))
          }]
    ).pipe(Effect.andThen(invalidation.publish({ table: "members", id: before.id })))

  const create = (admin: Member) =>
    audit.change(
      Effect.orDie(sql`INSERT INTO members ${sql.insert(admin)}`),
      () => [{ action: "member.created", subject: admin.id, details: detailsOf(admin) }]
    )

  return Effect.fnUntraced(function*(email: string, name: string | null) {
    const found = yield* members.first(sql`
      SELECT ${columns} FROM members WHERE lower(email) = lower(${email}) FOR UPDATE`)
    const id = Option.isSome(found) ? found.value.id : MemberId.make(yield* newId("mem"))
    const change = Option.isSome(found)
      ? promote(found.value, name)
      : create({
        id,
        email,
        name,
        role: "admin",
        client_ids: null,
        budget: null,
        created_at: new Date(yield* Clock.currentTimeMillis)
      })
    yield* change.pipe(Effect.provideService(CurrentActor, memberActor(id)))
    return id
  })
})

const detailsOf = ({ client_ids, email, name, role }: Member) => ({ email, name, role, client_ids })

const members = rowsOf(Schema.toType(Member))
