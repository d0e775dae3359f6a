import { Context, Data, Effect, Redacted, Stream } from "effect"
import { createCipheriv, createDecipheriv, randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { open } from "node:fs/promises"
import { pipeline } from "node:stream"
import { pipeline as pipelineEnd } from "node:stream/promises"
import { promisify } from "node:util"
import { createGunzip, createGzip } from "node:zlib"

export class SealedFileError extends Data.TaggedError("SealedFileError")<{ readonly message: string }> {}

const magic = Buffer.from("OpenAccounts backup 1\n")
const saltLength = 16
const verifierLength = 16
const headerLength = magic.length + saltLength + verifierLength

/** The size of a chunk in bytes, without the tag of AES-256-GCM. Only the last one may be shorter. */
const chunkLength = 65_536
const tagLength = 16

const deriveBytes = promisify<string, Buffer, number, object, Buffer>(scrypt)

/**
 * The work that makes a key of a passphrase. By default 128 MB and half a second
 * (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html). A file is read with the one it was
 * written with.
 */
export const KeyCost = Context.Reference<number>("openaccounts/Features/Backup/Copy/KeyCost", {
  defaultValue: () => 2 ** 17
})

interface FileKey {
  readonly key: Buffer
  /** Authenticated with each chunk. Has the salt, and bytes that tell a wrong passphrase from a changed file. */
  readonly header: Buffer
}

const deriveKey = Effect.fnUntraced(function*(passphrase: Redacted.Redacted, salt: Buffer) {
  // Keyboards encode the same letters in different ways.
  const text = Redacted.value(passphrase).normalize("NFKC")
  const options = { N: yield* KeyCost, r: 8, p: 1, maxmem: 2 ** 28 }
  const bytes = yield* Effect.promise(() => deriveBytes(text, salt, 32 + verifierLength, options))
  return { key: bytes.subarray(0, 32), header: Buffer.concat([magic, salt, bytes.subarray(32)]) }
})

/** The number of the chunk, and whether it is the last one: chunks cannot be moved, left out or cut off. */
const nonceOf = (index: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(index, 5, 6)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

/** Pieces of `length` bytes, and whether each is the last one. There is always a last one. */
const piecesOf = async function*(source: AsyncIterable<Buffer>, length: number) {
  let rest = Buffer.alloc(0)
  for await (const part of source) {
    rest = Buffer.concat([rest, part])
    for (; rest.length > length; rest = rest.subarray(length)) {
      yield { bytes: rest.subarray(0, length), isLast: false }
    }
  }
  yield { bytes: rest, isLast: true }
}

const encrypt = ({ header, key }: FileKey) =>
  async function*(source: AsyncIterable<Buffer>) {
    yield header
    let index = 0
    for await (const { bytes, isLast } of piecesOf(source, chunkLength)) {
      const cipher = createCipheriv("aes-256-gcm", key, nonceOf(index++, isLast)).setAAD(header)
      yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
    }
  }

const decrypt = ({ header, key }: FileKey) =>
  async function*(source: AsyncIterable<Buffer>) {
    let index = 0
    for await (const { bytes, isLast } of piecesOf(source, chunkLength + tagLength)) {
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(index, isLast), { authTagLength: tagLength })
          .setAAD(header).setAuthTag(bytes.subarray(-tagLength))
        yield Buffer.concat([decipher.update(bytes.subarray(0, -tagLength)), decipher.final()])
      } catch {
        const from = headerLength + index * (chunkLength + tagLength)
        throw new SealedFileError({
          message: isLast
            ? `The file is cut off, or was changed after byte ${from}`
            : `The file was changed or damaged between the bytes ${from} and ${from + bytes.length}`
        })
      }
      index++
    }
  }

const failed = (path: string) => (cause: unknown) =>
  cause instanceof SealedFileError
    ? cause
    : new SealedFileError({ message: `${path}: ${cause instanceof Error ? cause.message : String(cause)}` })

/** Writes a new file, compressed and encrypted. Fails if it exists. */
export const writeSealed = <E, R>(path: string, passphrase: Redacted.Redacted, text: Stream.Stream<string, E, R>) =>
  Effect.gen(function*() {
    const key = yield* deriveKey(passphrase, randomBytes(saltLength))
    let failure: { readonly error: E } | undefined
    const source = Stream.tapError(text, (error) => Effect.sync(() => void (failure = { error })))
    const lines = yield* Stream.toAsyncIterableEffect(source)
    yield* Effect.tryPromise((signal) =>
      pipelineEnd(lines, createGzip(), encrypt(key), createWriteStream(path, { flags: "wx", mode: 0o600 }), { signal })
    ).pipe(
      Effect.mapError(({ cause }): E | SealedFileError => failure === undefined ? failed(path)(cause) : failure.error)
    )
  })

/** Checks the passphrase first, and each part before it enters the stream. The file is intact if the stream ends. */
export const readSealed = Effect.fnUntraced(function*(path: string, passphrase: Redacted.Redacted) {
  const header = yield* Effect.tryPromise({ try: () => readHeader(path), catch: failed(path) })
  if (!header.subarray(0, magic.length).equals(magic) || header.length < headerLength) {
    return yield* new SealedFileError({ message: `${path} is not a backup of OpenAccounts` })
  }
  const key = yield* deriveKey(passphrase, header.subarray(magic.length, -verifierLength))
  if (!timingSafeEqual(key.header, header)) {
    return yield* new SealedFileError({ message: `The passphrase is not that of ${path}` })
  }
  return Stream.suspend(() => {
    // An error of any stage is an error of the last one.
    const plain = pipeline(
      createReadStream(path, { start: headerLength }),
      decrypt(key),
      createGunzip(),
      () => {}
    )
    return Stream.fromAsyncIterable<Uint8Array, SealedFileError>(plain, failed(path))
  }).pipe(Stream.decodeText, Stream.splitLines)
})

const readHeader = async (path: string): Promise<Buffer> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerLength), 0, headerLength, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
