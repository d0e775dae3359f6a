import { Duration, Effect, Result } from "effect"
import { overMemberShare } from "../../../Capacity/Capacity.ts"
import { RequestCounts } from "../../../Capacity/RequestCounts.ts"
import type { Member } from "../../../Domain/Member.ts"
import { newId } from "../../../Domain/NewId.ts"
import { operator, ownDashboardUrl } from "../../../Settings.ts"
import type { AlertTest } from "../Alerts.ts"
import { Notices, sampleBody } from "../Notices/Notices.ts"
import { Mailer } from "./Mailer.ts"
import { noticeMail } from "./MailText.ts"
import { settingsUrlOf } from "./Settings.ts"

/** Samples that a member may ask for, in all instances. */
const limit = 5
const window = Duration.minutes(10)

/** Sends a sample to the member's own address, immediately and once. */
export const makeTestMail = Effect.gen(function*() {
  const counts = yield* RequestCounts
  const mailer = yield* Mailer
  const notices = yield* Notices
  const { name: appName } = yield* operator
  const settingsUrl = settingsUrlOf(yield* ownDashboardUrl)

  return Effect.fn("Alerts.test")(function*({ email, id }: Member) {
    if (!mailer.isOn) return { email, error: "This service sends no mail." }
    const { millisLeft, requests } = yield* Effect.orDie(counts.add(`mail test ${id}`, window))
    if (requests > limit) {
      const seconds = Math.max(1, Math.ceil(millisLeft / 1000))
      return yield* overMemberShare(`Too many samples. Try again in ${seconds} seconds.`, seconds)
    }
    const notice = yield* notices.of(sampleBody)
    const body = noticeMail(notice, { appName, topic: "what you choose", settingsUrl })
    const mail = { id: yield* newId("mdl"), to: email, subject: notice.title, ...body, stopUrl: settingsUrl }
    const sent = yield* Effect.result(mailer.send(mail))
    const answer: AlertTest = { email, error: Result.isFailure(sent) ? sent.failure.message : null }
    return answer
  })
})
