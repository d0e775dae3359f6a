import { Duration, Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"

const prefix = "whsec_"

/** 256 random bits in the format of https://www.standardwebhooks.com. */
export const generateSecret = (): Redacted.Redacted =>
  Redacted.make(prefix + randomBytes(32).toString("base64"), { label: "webhook secret" })

/** How long an earlier secret signs too, in milliseconds. */
const overlap = Duration.toMillis(Duration.hours(24))

/** Bounds the header when a secret is replaced again and again. */
const maxEarlier = 4

interface Secret {
  readonly secret: string
  /** Epoch milliseconds. */
  readonly until: number
}

/**
 * The stored text is the secret and then earlier ones, each followed by `@` and the time until which it signs. The URL
 * comes last, where it is a secret.
 */
const parse = (stored: Redacted.Redacted): ReadonlyArray<Secret> =>
  Redacted.value(stored).split(" ").filter((part) => part.startsWith(prefix)).map((part) => {
    const [secret = "", until] = part.split("@")
    return { secret, until: until === undefined ? Infinity : Number(until) }
  })

export const secretUrl = (stored: Redacted.Redacted): string | undefined =>
  Redacted.value(stored).split(" ").find((part) => !part.startsWith(prefix))

export const withSecretUrl = (stored: Redacted.Redacted, url: string | undefined): Redacted.Redacted => {
  const secrets = Redacted.value(stored).split(" ").filter((part) => part.startsWith(prefix))
  return Redacted.make([...secrets, ...url === undefined ? [] : [url]].join(" "), { label: "webhook secrets" })
}

/** The text to store after a new secret replaced the one of `stored`, which signs for another 24 hours. */
export const replaceSecret = (
  stored: Redacted.Redacted,
  secret: Redacted.Redacted,
  nowMillis: number
): Redacted.Redacted => {
  const earlier = parse(stored)
    .map(({ secret, until }) => ({ secret, until: Math.min(until, nowMillis + overlap) }))
    .filter(({ until }) => until > nowMillis)
    .slice(0, maxEarlier)
    .map(({ secret, until }) => `${secret}@${until}`)
  const secrets = Redacted.make([Redacted.value(secret), ...earlier].join(" "), { label: "webhook secrets" })
  return withSecretUrl(secrets, secretUrl(stored))
}

export interface SignedMessage {
  readonly id: string
  readonly atMillis: number
  readonly body: string
}

/** One signature for each secret that is valid, the newest first. A receiver accepts the message if one of them fits. */
export const signedHeaders = Effect.fnUntraced(function*(stored: Redacted.Redacted, message: SignedMessage) {
  const { Webhook } = yield* Effect.promise(() => import("standardwebhooks"))
  const { atMillis, body, id } = message
  const sign = ({ secret }: Secret) => new Webhook(secret).sign(id, new Date(atMillis), body)
  return {
    "webhook-id": id,
    "webhook-timestamp": `${Math.floor(atMillis / 1000)}`,
    "webhook-signature": parse(stored).filter(({ until }) => until > atMillis).map(sign).join(" ")
  }
})
