import { Context, Data, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { type MailSettings, mailSettings } from "./Settings.ts"

export interface Mail {
  /** The delivery's message id. Every attempt has the same, so that mail programs show it once. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same content as `text`. */
  readonly html: string
  /** The page that stops such mail. */
  readonly stopUrl: string
}

/** `message` has no text of the mail server, which could contain anything. */
export class MailRefused extends Data.TaggedError("MailRefused")<{
  readonly message: string
  /** The same mail would be refused again. */
  readonly isFinal: boolean
}> {}

/** How long a server may take to greet, in milliseconds. */
const greetingTimeout = 10_000

/**
 * How long an attempt may take: less than a shutdown and the claim of a mail, and enough for a server that examines a
 * mail before it takes it. Such a mail would arrive with each attempt otherwise.
 */
const attemptTimeout = Duration.seconds(25)

/** Errors of nodemailer by `code`. */
const reasons: Readonly<Record<string, string>> = {
  EAUTH: "refused the login",
  EDNS: "could not be found",
  EENVELOPE: "refused the sender or the recipient",
  EMESSAGE: "refused the mail",
  ETLS: "offers no encryption that works",
  ETIMEDOUT: "did not answer in time"
}

const Failure = Schema.Struct({
  code: Schema.optional(Schema.String),
  responseCode: Schema.optional(Schema.Finite),
  permanent: Schema.optional(Schema.Boolean)
})
const decodeFailure = Schema.decodeUnknownOption(Failure)

/** A refused login is not final: it is a mistake in the settings, which can be corrected. */
const refused = (cause: unknown): MailRefused => {
  const { code = "", permanent = false, responseCode } = Option.getOrElse(
    decodeFailure(cause),
    (): typeof Failure.Type => ({})
  )
  const status = responseCode === undefined ? "" : ` (${responseCode})`
  return new MailRefused({
    message: `The mail server ${reasons[code] ?? "could not be reached"}${status}.`,
    isFinal: permanent && (code === "EENVELOPE" || code === "EMESSAGE")
  })
}

/** Without encryption, the network between could read the password, or take the offer of encryption away. */
const hasExposedLogin = ({ hostname, username }: URL): boolean =>
  username !== "" && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

const makeTransport = ({ from, url }: MailSettings) =>
  Effect.map(Effect.promise(() => import("nodemailer")), ({ createTransport }) =>
    createTransport({
      url: Redacted.value(url),
      requireTLS: hasExposedLogin(new URL(Redacted.value(url))),
      connectionTimeout: greetingTimeout,
      greetingTimeout,
      socketTimeout: Duration.toMillis(attemptTimeout),
      disableFileAccess: true,
      disableUrlAccess: true
    }, { from }))

/** Whether the server takes a connection and the login. It sends nothing. */
export const verifyMail = Effect.fnUntraced(function*(settings: MailSettings) {
  const transport = yield* makeTransport(settings)
  yield* Effect.tryPromise({ try: () => transport.verify(), catch: refused })
})

/** Sends mail by SMTP. */
export class Mailer extends Context.Service<Mailer, {
  /** Whether the settings name a mail server. Without one, nothing is stored to be sent. */
  readonly isOn: boolean
  readonly send: (mail: Mail) => Effect.Effect<void, MailRefused>
}>()("openaccounts/Features/Alerts/Mail/Mailer") {
  static readonly layer = Layer.effect(
    Mailer,
    Effect.gen(function*() {
      const settings = yield* mailSettings
      if (Option.isNone(settings)) return Mailer.of({ isOn: false, send: () => Effect.void })
      const transport = yield* Effect.cached(makeTransport(settings.value))
      const domain = settings.value.from.split("@").at(-1)?.replace(/>$/, "")

      return Mailer.of({
        isOn: true,
        send: Effect.fn("Mailer.send")(function*({ html, id, stopUrl, subject, text, to }) {
          const { sendMail } = yield* Effect.map(transport, (made) => ({ sendMail: made.sendMail.bind(made) }))
          yield* Effect.tryPromise({
            try: (signal) =>
              sendMail({
                messageId: `<${id}@${domain}>`,
                // An object, because an address in a text could have a comma.
                to: { name: "", address: to },
                subject,
                text,
                html,
                list: { unsubscribe: { url: stopUrl } },
                signal
              }),
            catch: refused
          }).pipe(Effect.timeoutOrElse({
            duration: attemptTimeout,
            orElse: () => Effect.fail(refused({ code: "ETIMEDOUT" }))
          }))
        })
      })
    })
  )
}
