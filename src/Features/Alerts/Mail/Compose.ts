import { Effect, Option } from "effect"
import { MemberRepo } from "../../../Auth/MemberRepo.ts"
import { ConnectionRepo } from "../../../Connections/ConnectionRepo.ts"
import type { Member } from "../../../Domain/Member.ts"
import { idMillis } from "../../../Domain/NewId.ts"
import { isClientInScope } from "../../../Domain/Request/ManagementScope.ts"
import { operator, ownDashboardUrl } from "../../../Settings.ts"
import { mailEvents, mailTopics } from "../Declared.ts"
import { Notices } from "../Notices/Notices.ts"
import { connectionIdOf, eventOf } from "../Notices/StoredMessage.ts"
import { Choices, digestType } from "./Choices.ts"
import { makeDigest, weekOf } from "./Digest.ts"
import type { DueMail } from "./MailQueue.ts"
import { digestMail, type Frame, type MailBody, noticeMail } from "./MailText.ts"
import { settingsUrlOf } from "./Settings.ts"

export interface Composed {
  readonly to: string
  readonly subject: string
  readonly bodyWith: (stopUrl: string) => MailBody
}

export const topicOf = (type: string): string => {
  const event = mailEvents.find((each) => each === type)
  return event === undefined ? "your clients, once a week" : mailTopics[event]
}

/** The mail, if its member still wants it and may see what it is about. */
export const makeCompose = Effect.gen(function*() {
  const choices = yield* Choices
  const connections = yield* ConnectionRepo
  const digestOf = yield* makeDigest
  const members = yield* MemberRepo
  const notices = yield* Notices
  const dashboardUrl = yield* ownDashboardUrl
  const settingsUrl = settingsUrlOf(dashboardUrl)
  const { name: appName } = yield* operator

  const frame = (type: string, stopUrl: string): Frame => ({
    appName,
    topic: topicOf(type),
    stopUrl,
    settingsUrl
  })

  const sees = Effect.fnUntraced(function*({ client_ids }: Member, body: string) {
    const { event } = eventOf(body)
    const id = event && connectionIdOf(event)
    // Only the member that asked sees a bulk call.
    if (id === undefined) return event?.type === "bulk_call.completed"
    const connection = yield* connections.find(id)
    return Option.isSome(connection) && isClientInScope(client_ids, connection.value.client_id)
  })

  const ofEvent = Effect.fnUntraced(function*(member: Member, type: string, body: string) {
    if (!(yield* sees(member, body))) return undefined
    const notice = yield* notices.of(body)
    const composed: Composed = {
      to: member.email,
      subject: notice.title,
      bodyWith: (stopUrl) => noticeMail(notice, frame(type, stopUrl))
    }
    return composed
  })

  const ofDigest = Effect.fnUntraced(function*(member: Member, mail: DueMail) {
    const { digest_client_ids } = yield* choices.of(member.id)
    const digest = yield* digestOf(digest_client_ids, member.client_ids, weekOf(idMillis(mail.id)))
    if (digest === undefined) return undefined
    const link = { text: "Open the dashboard", url: `${dashboardUrl}/dashboard` }
    const composed: Composed = {
      to: member.email,
      subject: digest.title,
      bodyWith: (stopUrl) => digestMail(digest, link, frame(digestType, stopUrl))
    }
    return composed
  })

  return Effect.fn("Alerts.compose")(function*(mail: DueMail) {
    const member = Option.getOrUndefined(yield* members.find(mail.memberId))
    if (member === undefined) return undefined
    if (mail.body === null) return yield* ofDigest(member, mail)
    const { events } = yield* choices.of(member.id)
    return events.some((type) => type === mail.type) ? yield* ofEvent(member, mail.type, mail.body) : undefined
  })
})
