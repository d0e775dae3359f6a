import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto"

const ivLength = 12

/** Random bytes for the next encryptions. Getting them one encryption at a time would take a third of its time. */
let random = randomBytes(0)

const newIv = (): Buffer => {
  if (random.length === 0) random = randomBytes(1024 * ivLength)
  const iv = random.subarray(0, ivLength)
  random = random.subarray(ivLength)
  return iv
}

/**
 * AES-256-GCM. Returns the initialisation vector (12 bytes), the ciphertext and the authentication tag (16 bytes). A
 * `KeyObject` takes a third of the time of its bytes.
 */
export const encryptBytes = (key: KeyObject, plain: string | Uint8Array, additionalData: string): Buffer => {
  const iv = newIv()
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(additionalData))
  const ciphertext = typeof plain === "string" ? cipher.update(plain, "utf8") : cipher.update(plain)
  return Buffer.concat([iv, ciphertext, cipher.final(), cipher.getAuthTag()])
}

/** Throws when the key or `additionalData` is another one, or the bytes have changed. */
export const decryptBytes = (key: KeyObject, bytes: Uint8Array, additionalData: string): Buffer => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const decipher = createDecipheriv("aes-256-gcm", key, buffer.subarray(0, ivLength), { authTagLength: 16 })
    .setAAD(Buffer.from(additionalData))
    .setAuthTag(buffer.subarray(-16))
  return Buffer.concat([decipher.update(buffer.subarray(ivLength, -16)), decipher.final()])
}
