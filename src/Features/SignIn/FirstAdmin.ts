import { Clock, Effect, Option } from "effect"
import { Audit, changesBetween } from "../../Audit/Audit.ts"
import { MemberRepo } from "../../Auth/MemberRepo.ts"
import { MemberId } from "../../Domain/Ids.ts"
import type { Member } from "../../Domain/Member.ts"
import { newId } from "../../Domain/NewId.ts"
import { CurrentActor, memberActor } from "../../Domain/Request/Actor.ts"
import { Invalidation } from "../../Sql/Notify/Invalidation.ts"

export const makeFirstAdmin = Effect.gen(function*() {
  const audit = yield* Audit
  const invalidation = yield* Invalidation
  const members = yield* MemberRepo

  const promote = (before: Member, name: string | null) => {
    const change = { role: "admin", client_ids: null, name: before.name ?? name } as const
    return audit.change(
      Effect.orDie(members.update(before.id, change)),
      () => [{
        action: "member.changed",
        subject: before.id,
        details: changesBetween(detailsOf(before), detailsOf({ ...before, ...change }))
      }]
    ).pipe(Effect.andThen(invalidation.publish({ table: "members", id: before.id })))
  }

  const create = (admin: Member) =>
    audit.change(
      Effect.orDie(members.insert(admin)),
      () => [{ action: "member.created", subject: admin.id, details: detailsOf(admin) }]
    )

  return Effect.fnUntraced(function*(email: string, name: string | null) {
    const found = yield* members.findByEmail(email, "FOR UPDATE")
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
