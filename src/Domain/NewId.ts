import { Effect } from "effect"
import { randomFillSync } from "node:crypto"

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** 26 characters of 5 bits hold 16 bytes. The first two bits are zero. */
const encodeBase32 = (bytes: Uint8Array): string => {
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

const randomPool = new Uint8Array(16 * 256)
let used = randomPool.length

const randomBytes16 = (): Uint8Array => {
  if (used === randomPool.length) {
    randomFillSync(randomPool)
    used = 0
  }
  return randomPool.slice(used, used += 16)
}

let lastMillis = 0
let sequence = 0

/**
 * UUIDv7 (RFC 9562) with a counter, so that ids of one process are in order. Effect's `Crypto.randomUUIDv7` has no
 * counter.
 */
const uuidv7 = (now: number): Uint8Array => {
  const bytes = randomBytes16()
  sequence = sequence + 1 & 0xfff
  // Ids keep their order when the clock is set back by up to 10 s.
  if (now > lastMillis || now < lastMillis - 10_000) lastMillis = now
  else if (sequence === 0) lastMillis += 1
  const view = new DataView(bytes.buffer)
  view.setUint16(0, Math.floor(lastMillis / 2 ** 32))
  view.setUint32(2, lastMillis % 2 ** 32)
  view.setUint16(6, 0x7000 | sequence)
  view.setUint8(8, 0x80 | view.getUint8(8) & 0x3f)
  return bytes
}

export const newIdAt = <const Prefix extends string>(prefix: Prefix, millis: number): `${Prefix}_${string}` =>
  `${prefix}_${encodeBase32(uuidv7(millis))}`

export const newId = <const Prefix extends string>(prefix: Prefix): Effect.Effect<`${Prefix}_${string}`> =>
  Effect.clockWith((clock) => Effect.succeed(newIdAt(prefix, clock.currentTimeMillisUnsafe())))

/** Sorts before all ids of this millisecond, and after those of earlier ones. */
export const firstIdAt = (prefix: string, millis: number): string => {
  let time = ""
  for (let rest = millis; time.length < 10; rest = Math.floor(rest / 32)) time = `${alphabet[rest % 32]}${time}`
  return `${prefix}_${time}`
}

export const idMillis = (id: string): number => {
  const suffix = id.slice(-26)
  let millis = 0
  for (const character of suffix.slice(0, 10)) millis = millis * 32 + alphabet.indexOf(character)
  return millis
}
