import { Effect, Option, Redacted } from "effect"
import { check, ok, responseTimeout, skipped } from "../../Cli/Commands/Doctor/Check.ts"
import { MailRefused, verifyMail } from "./Mail/Mailer.ts"
import { mailSettings } from "./Mail/Settings.ts"

const silent = new MailRefused({ message: "The mail server did not answer in time.", isFinal: false })

export const mailCheck = Effect.gen(function*() {
  const settings = yield* mailSettings
  if (Option.isNone(settings)) return skipped("is not sent: SMTP_URL and MAIL_FROM are not set")
  yield* Effect.timeoutOrElse(verifyMail(settings.value), { duration: responseTimeout, orElse: () => silent })
  return ok(`is sent by ${new URL(Redacted.value(settings.value.url)).host} as ${settings.value.from}`)
}).pipe(check("mail"))
