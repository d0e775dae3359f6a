import { Effect, Option } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CurrentSession } from "../../Api/Authentication.ts"
import { Unauthenticated } from "../../Api/Errors.ts"
import { ClientNotFound } from "../../Api/ManagementErrors.ts"
import { ClientRepo } from "../../Auth/ClientRepo.ts"
import { MemberRepo } from "../../Auth/MemberRepo.ts"
import { AlertsApi } from "./Contract.ts"
import { alertFormatList } from "./Formats/AddFormats.ts"
import { Choices } from "./Mail/Choices.ts"
import { Mailer } from "./Mail/Mailer.ts"
import { MailQueue } from "./Mail/MailQueue.ts"
import { makeTestMail } from "./Mail/TestMail.ts"
import { Notices, sampleBody } from "./Notices/Notices.ts"

export const AlertsHandlers = HttpApiBuilder.group(
  AlertsApi,
  "alerts",
  Effect.fn(function*(handlers) {
    const choices = yield* Choices
    const clients = yield* ClientRepo
    const mailer = yield* Mailer
    const members = yield* MemberRepo
    const testMail = yield* makeTestMail

    const current = Effect.gen(function*() {
      const { memberId } = yield* CurrentSession
      const member = yield* members.find(memberId)
      return Option.isSome(member)
        ? member.value
        : yield* new Unauthenticated({ message: "The member was deleted." })
    })

    const shown = Effect.gen(function*() {
      const { email, id } = yield* current
      return { available: mailer.isOn, email, ...yield* choices.of(id) }
    })

    return handlers.handleAll({
      get: () => shown,
      set: Effect.fnUntraced(function*({ payload: { digest_client_ids: ids, events } }) {
        const { client_ids, id } = yield* current
        const seen = ids === null ? null : (yield* clients.findAll(ids, client_ids)).map((client) => client.id)
        if (ids?.some((each) => !seen?.some((found) => found === each)) === true) return yield* new ClientNotFound()
        yield* choices.set(id, { events, digest_client_ids: seen })
        return yield* shown
      }),
      test: () => Effect.flatMap(current, testMail)
    })
  })
)

const anyUrl = new URL("https://example.com/")

export const ManagedAlertsHandlers = HttpApiBuilder.group(
  AlertsApi,
  "managedAlerts",
  Effect.fn(function*(handlers) {
    const notices = yield* Notices
    const queue = yield* MailQueue

    return handlers.handleAll({
      sample: Effect.fnUntraced(function*({ params: { format } }) {
        const notice = yield* notices.of(sampleBody)
        const body = alertFormatList.find(({ name }) => name === format)?.payload(notice, anyUrl) ?? null
        return { ...notice, body }
      }),
      mailDeliveries: ({ query }) =>
        Effect.map(queue.list(query), ({ cursor, items }) => ({ mail_deliveries: items, cursor }))
    })
  })
)
