import { Effect } from "effect"
import { randomFillSync } from "node:crypto"

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** 16 bytes as 26 Crockford base-32 characters: 130 bits, of which the first two are zero. */
const base32 = (bytes: Uint8Array): string => {
  let text = ""
  let bits = 2
  let buffer = 0
  for (const byte of bytes) {
    buffer = (buffer << 8 | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[buffer >> bits & 31]
    }
  }
  return text
}

/** Random bytes are made in stock: 256 ids cost little more than one. */
const stock = new Uint8Array(16 * 256)
let used = stock.length

const randomBytes16 = (): Uint8Array => {
  if (used === stock.length) {
    randomFillSync(stock)
    used = 0
  }
  return stock.slice(used, used += 16)
}

let lastMillis = 0
let sequence = 0

/** UUIDv7 (RFC 9562): milliseconds, a counter that keeps the ids of one process in order, 62 random bits. */
const uuidv7 = (now: number): Uint8Array => {
  const bytes = randomBytes16()
  // A clock that was set back by more than a moment is followed, not waited for.
  if (now > lastMillis || now < lastMillis - 10_000) {
    lastMillis = now
    // The top bit stays free, so that a millisecond has room for at least 2048 ids.
    sequence = (bytes[6] ?? 0) << 3 & 0x7ff
  } else if (++sequence > 0xfff) {
    lastMillis += 1
    sequence = 0
  }
  const view = new DataView(bytes.buffer)
  view.setUint16(0, Math.floor(lastMillis / 2 ** 32))
  view.setUint32(2, lastMillis % 2 ** 32)
  view.setUint16(6, 0x7000 | sequence)
  view.setUint8(8, 0x80 | view.getUint8(8) & 0x3f)
  return bytes
}

/** A new id in the TypeID form, `<prefix>_<26 characters>`. */
export const newId = <const Prefix extends string>(prefix: Prefix): Effect.Effect<`${Prefix}_${string}`> =>
  Effect.clockWith((clock) => Effect.succeed(`${prefix}_${base32(uuidv7(clock.currentTimeMillisUnsafe()))}` as const))

/** Milliseconds since the epoch at which an id was made. */
export const idMillis = (id: string): number => {
  const suffix = id.slice(-26)
  // 10 characters hold 50 bits: two zeros and the 48 of the time.
  let millis = 0
  for (const character of suffix.slice(0, 10)) millis = millis * 32 + alphabet.indexOf(character)
  return millis
}
