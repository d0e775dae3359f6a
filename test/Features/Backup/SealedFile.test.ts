import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readSealed, SealedFileError, writeSealed } from "../../../src/Features/Backup/Copy/SealedFile.ts"
import { tempFolder } from "../../support/TempFolder.ts"

const passphrase = Redacted.make("correct horse")

/** Of 200 KB that do not compress, so that the file has several chunks. */
const lines = Array.from(
  { length: 6 },
  (_, line) => `${line} ${Array.from({ length: 6000 }, () => Math.random().toString(36).slice(2, 8)).join("")}`
)

const write = Effect.fnUntraced(function*(path: string) {
  yield* writeSealed(path, passphrase, Stream.fromIterable(lines.map((line) => `${line}\n`)))
  return yield* Effect.promise(() => readFile(path))
})

const read = (path: string, secret = "correct horse") =>
  Effect.flatMap(readSealed(path, Redacted.make(secret)), Stream.runCollect)

const header = 54
const chunk = 65_536 + 16

const sealed = Effect.runSync(
  Effect.cached(Effect.scoped(Effect.flatMap(tempFolder, (path) => write(join(path, "a")))))
)

describe.concurrent("A sealed file", () => {
  it.effect("gives back its text, with nothing of it readable, and only with its passphrase", () =>
    Effect.gen(function*() {
      const path = join(yield* tempFolder, "a")
      const bytes = yield* write(path)
      assert.isAbove(bytes.length, header + 2 * chunk)
      assert.deepStrictEqual(yield* read(path), lines)
      assert.notInclude(bytes.toString("latin1"), lines[0]?.slice(2, 12) ?? "")
      const error = yield* Effect.flip(read(path, "Correct horse"))
      assert.strictEqual(error.message, `The passphrase is not that of ${path}`)
      assert.include((yield* Effect.flip(write(path))).message, "EEXIST")
    }))

  const changes: ReadonlyArray<readonly [string, (bytes: Buffer) => Buffer, RegExp]> = [
    ["cut within its header", (bytes) => bytes.subarray(0, 40), /is not a backup/],
    ["cut within a chunk", (bytes) => bytes.subarray(0, header + chunk + 100), /cut off/],
    ["cut by a byte", (bytes) => bytes.subarray(0, -1), /cut off/],
    ["followed by bytes", (bytes) => Buffer.concat([bytes, Buffer.from("x")]), /cut off, or was changed/],
    ["changed in a byte", (bytes) => flipped(bytes, header + 5), /between the bytes 54 and/],
    ["changed in its salt", (bytes) => flipped(bytes, 25), /passphrase/],
    [
      "of chunks in another order",
      (bytes) =>
        Buffer.concat([
          bytes.subarray(0, header),
          bytes.subarray(header + chunk, header + 2 * chunk),
          bytes.subarray(header, header + chunk),
          bytes.subarray(header + 2 * chunk)
        ]),
      /between the bytes 54 and/
    ],
    ["of something else", () => Buffer.from("PGDMP".repeat(20)), /is not a backup/]
  ]
  it.effect.each(changes)("that is %s is refused, and says where", ([, change, message]) =>
    Effect.gen(function*() {
      const path = join(yield* tempFolder, "a")
      const bytes = Buffer.from(yield* sealed)
      yield* Effect.promise(() => writeFile(path, change(bytes)))
      const error = yield* Effect.flip(read(path))
      assert.instanceOf(error, SealedFileError)
      assert.match(error.message, message)
    }))

  it.effect("is not left behind as if it were whole when its text fails", () =>
    Effect.gen(function*() {
      const path = join(yield* tempFolder, "a")
      const text = Stream.concat(Stream.make("one\n"), Stream.fail("the database went away" as const))
      assert.strictEqual(yield* Effect.flip(writeSealed(path, passphrase, text)), "the database went away")
      assert.match(String(yield* Effect.flip(read(path))), /cut off|not a backup/)
    }))
})

const flipped = (bytes: Buffer, at: number): Buffer => {
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  return bytes
}
