import { Config, Data, Effect, Option, type Redacted, Schema } from "effect"

/** Where members choose their mail. */
export const settingsUrlOf = (dashboardUrl: string): string => `${dashboardUrl}/dashboard/settings?tab=alerts`

export const mailSecrets = ["SMTP_URL"]

export interface MailSettings {
  /** The address of the server, with the password. */
  readonly url: Redacted.Redacted
  /** An address, or a name and an address in angle brackets. */
  readonly from: string
}

const SmtpUrl = Schema.RedactedFromValue(Schema.String.check(
  Schema.isPattern(/^smtps?:\/\/\S+$/u, {
    message: "Expected a URL like smtps://user:password@mail.example.com:465"
  }),
  Schema.makeFilter((text) => URL.parse(text)?.hostname !== "" && URL.canParse(text), {
    message: "Expected a URL with a host; user and password are percent-encoded"
  })
))

const Sender = Schema.String.check(
  Schema.isPattern(/^(?:[^\s<>@]+@[^\s<>@]+|[^\p{Cc}<>@]+<[^\s<>@]+@[^\s<>@]+>)$/u, {
    message: "Expected an address like accounts@example.com or Accounts <accounts@example.com>"
  })
)

export class MailSettingsIncomplete extends Data.TaggedError("MailSettingsIncomplete")<{ readonly message: string }> {}

/** None without both. */
export const mailSettings = Effect.gen(function*() {
  const url = yield* Config.option(Config.schema(SmtpUrl, "SMTP_URL"))
  const from = yield* Config.option(Config.schema(Sender, "MAIL_FROM"))
  if (Option.isSome(url) && Option.isSome(from)) {
    return Option.some<MailSettings>({ url: url.value, from: from.value })
  }
  if (Option.isNone(url) && Option.isNone(from)) return Option.none()
  const [given, missing] = Option.isSome(url) ? ["SMTP_URL", "MAIL_FROM"] : ["MAIL_FROM", "SMTP_URL"]
  return yield* new MailSettingsIncomplete({ message: `${given} is set, but ${missing} is not. Set both, or neither.` })
})
