import { Effect, Layer, Schema } from "effect"
import { Events } from "../../../Audit/Events.ts"
import { MemberRepo } from "../../../Auth/MemberRepo.ts"
import { messageText, NewEvent } from "../../../Declared/Event.ts"
import { newId } from "../../../Domain/NewId.ts"
import { mailEvents } from "../Declared.ts"
import { Choices } from "./Choices.ts"
import { Mailer } from "./Mailer.ts"
import { MailQueue } from "./MailQueue.ts"

/**
 * Writes a mail in the transaction of its event for each member that wants such events. Whether the member may see it
 * is checked when it is sent. The choices and mail of a member end with the member.
 */
export const MailOutbox = Layer.effectDiscard(Effect.gen(function*() {
  const choices = yield* Choices
  const events = yield* Events
  const mailer = yield* Mailer
  const members = yield* MemberRepo
  const queue = yield* MailQueue

  yield* members.whenDeleted((id) => Effect.andThen(choices.delete(id), queue.deleteOf(id)))

  if (!mailer.isOn) return
  yield* events.listen(
    Effect.fn("MailOutbox.record")(function*(event) {
      if (!mailEvents.some((type) => type === event.type)) return
      const wanting = yield* choices.wanting(event.type)
      const owner = event.type === "bulk_call.completed" ? event.member_id : undefined
      const members = event.type === "bulk_call.completed" ? wanting.filter((id) => id === owner) : wanting
      if (members.length === 0) return
      yield* queue.add(event.type, messageText(yield* newId("evt"), encode(event)), members)
    })
  )
}))

const encode = Schema.encodeSync(NewEvent)
