import { Cause, Effect, Exit, Redacted, Stream } from "effect"
import { deepStrictEqual, strictEqual } from "node:assert"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readBackup } from "../../../src/Features/Backup/Copy/BackupFile.ts"
import { KeyCost, SealedFileError, writeSealed } from "../../../src/Features/Backup/Copy/SealedFile.ts"
import { expect, isJson, type Target } from "../Target.ts"

const passphrase = Redacted.make("correct horse")

const lines = [
  "{\"made_at\":\"2026-11-30T00:00:00Z\",\"encryption_keys\":null,\"key_digests\":[],\"admin_token\":null}",
  "{\"migrations\":[\"0001_a\"],\"tables\":[{\"name\":\"a\",\"columns\":[{\"name\":\"b\",\"type\":\"text\"}],\"partitions\":[]}]}",
  "{\"table\":\"a\",\"rows\":[[\"x\",null]]}",
  "{\"sums\":{\"a\":{\"rows\":\"1\",\"sum\":\"2\"}}}"
]

const folder = mkdtempSync(join(tmpdir(), "fuzz-backup-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
const path = join(folder, "backup")

/** A key would take half a second. */
const cheaply = Effect.provideService(KeyCost, 2)

const seal = async (text: string): Promise<Buffer> => {
  rmSync(path, { force: true })
  await Effect.runPromise(cheaply(writeSealed(path, passphrase, Stream.make(text))))
  return readFileSync(path)
}

const read = Effect.gen(function*() {
  const { head, parts } = yield* readBackup(path, passphrase)
  return [head, ...yield* Stream.runCollect(parts)]
})

/** What is read, or `undefined` if the file is refused as one should be. */
const readOrRefused = async () => {
  const exit = await Effect.runPromiseExit(cheaply(read))
  if (Exit.isSuccess(exit)) return exit.value
  const failure = Cause.squash(exit.cause)
  expect(failure instanceof SealedFileError && failure.message !== "", String(failure))
  return undefined
}

let sealed: Promise<Buffer> | undefined

/** A byte says which of two: a text that is sealed and read, or changes of a sealed file, which is then refused. */
export const backups: Target = {
  isAsync: true,
  seeds: [
    `t${lines.join("\n")}`,
    `t${lines.join("\n")}\n`,
    `t${lines[0]}\n${lines[2]}`,
    Buffer.from([0, 0, 0, 0]),
    Buffer.from([0, 60, 0, 1, 200, 0, 255]),
    Buffer.from([1, 54, 0]),
    Buffer.from([2, 54, 0, 9])
  ],
  run: async (input) => {
    if (input[0] === 0x74) {
      const text = input.subarray(1).toString()
      await seal(text)
      const found = await readOrRefused()
      const given = text.replace(/\n$/, "").split(/\r?\n/)
      const isWhole = given.every(isJson) && !/\r(?!\n)/.test(text)
      if (found !== undefined) deepStrictEqual([isWhole, found.length], [true, given.length])
      return
    }
    const whole = await (sealed ??= seal(lines.join("\n")))
    const changed = change(whole, input)
    writeFileSync(path, changed)
    const found = await readOrRefused()
    strictEqual(found !== undefined, changed.equals(whole), "a changed file is read, or a whole one is not")
    if (found !== undefined) strictEqual(found.length, lines.length)
  }
}

/** The first byte: changed bytes, a cut, or further bytes. Then places of two bytes. */
const change = (whole: Buffer, [kind = 0, ...rest]: Buffer): Buffer => {
  const at = ((rest[0] ?? 0) + 256 * (rest[1] ?? 0)) % (whole.length + 1)
  if (kind % 4 === 1) return whole.subarray(0, at)
  if (kind % 4 === 2) return Buffer.concat([whole.subarray(0, at), Buffer.from(rest.slice(2)), whole.subarray(at)])
  if (kind % 4 === 3) return Buffer.from(rest)
  const changed = Buffer.from(whole)
  for (let index = 0; index + 2 < rest.length; index += 3) {
    const place = ((rest[index] ?? 0) + 256 * (rest[index + 1] ?? 0)) % whole.length
    changed[place] = (changed[place] ?? 0) ^ (rest[index + 2] ?? 0)
  }
  return changed
}
