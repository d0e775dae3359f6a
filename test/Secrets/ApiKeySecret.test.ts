import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { createHash } from "node:crypto"
import { crc32 } from "node:zlib"
import { generateApiKey, hashToken, hintOf, isApiKey } from "../../src/Secrets/IssuedSecrets.ts"

const key = "oa_0123456789ABCDEFGHIJKLMNOPQRSTUV"

describe("API keys", () => {
  it("are oa_, 32 characters and their checksum, and are unique", () => {
    const keys = Array.from({ length: 200 }, generateApiKey)
    for (const key of keys) {
      assert.match(Redacted.value(key), /^oa_[0-9A-Za-z]{38}$/)
      assert.isTrue(isApiKey(key))
    }
    assert.strictEqual(new Set(keys.map(Redacted.value)).size, keys.length)
    const letters = new Set(keys.flatMap((key) => Redacted.value(key).slice(3, 35).split("")))
    assert.strictEqual(letters.size, 62)
  })

  it("carry a CRC-32 in base 62, most significant digit first, zero-padded", () => {
    // CRC-32 of the key below is 3 819 617 688.
    assert.strictEqual(crc32(key), 3_819_617_688)
    assert.isTrue(isApiKey(Redacted.make(`${key}4AUj2u`)))
  })

  it.each([
    ["another digit in the checksum", `${key}4AUj2v`],
    ["another character", `oa_1123456789ABCDEFGHIJKLMNOPQRSTUV4AUj2u`],
    ["two characters swapped", `oa_1023456789ABCDEFGHIJKLMNOPQRSTUV4AUj2u`],
    ["upper case", `${key}4AUj2u`.toUpperCase()],
    ["a character too many", `${key}4AUj2u0`],
    ["a line feed at the end", `${key}4AUj2u\n`],
    ["no prefix", `${key}4AUj2u`.slice(3)],
    ["nothing", ""]
  ])("are rejected locally: %s", (_, text) => {
    assert.isFalse(isApiKey(Redacted.make(text)))
  })

  it("are stored as their SHA-256 and recognised by their last four characters", () => {
    const secret = Redacted.make(`${key}4AUj2u`)
    assert.deepStrictEqual(hashToken(secret), createHash("sha256").update(`${key}4AUj2u`).digest("hex"))
    assert.strictEqual(hintOf(secret), "Uj2u")
  })
})
