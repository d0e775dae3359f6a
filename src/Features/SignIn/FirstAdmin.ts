import { Effect, Option } from "effect"
import { MemberRepo } from "../../Auth/MemberRepo.ts"
import { MemberId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import { CurrentActor, memberActor } from "../../Domain/Request/Actor.ts"
import { Members } from "../../Management/Members.ts"

/** The audit names the member itself as the actor. */
export const makeFirstAdmin = Effect.gen(function*() {
  const repo = yield* MemberRepo
  const members = yield* Members

  return Effect.fnUntraced(function*(email: string, name: string | null) {
    const found = Option.getOrUndefined(yield* repo.findByEmail(email, "FOR UPDATE"))
    const id = found?.id ?? MemberId.make(yield* newId("mem"))
    const change = found === undefined
      ? members.create({ email, name, role: "admin" }, id)
      : members.change(id, { name: found.name ?? name, role: "admin" })
    yield* change.pipe(Effect.orDie, Effect.provideService(CurrentActor, memberActor(id)))
    return id
  })
})
