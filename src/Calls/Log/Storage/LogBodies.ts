import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { promisify } from "node:util"
import { brotliCompress, brotliCompressSync, brotliDecompress, constants } from "node:zlib"
import type { CallEntry, StoredCall } from "../../../Domain/Calls/Call.ts"
import type { CallId } from "../../../Domain/Ids.ts"
import { JsonText } from "../../../Domain/Json/JsonText.ts"
import { idMillis } from "../../../Domain/NewId.ts"
import { decryptBytes, encryptBytes } from "../../../Secrets/Cipher.ts"
import type { StoredSecrets } from "../../../Secrets/StoredSecrets.ts"
import { selectFitting } from "../../../Sql/Rows.ts"
import { withEarlierData } from "../../Response/CallResponse.ts"
import { type LogKey, makeLogKeys } from "./LogKeys.ts"

export interface BodyColumns {
  readonly bodies: Uint8Array | null
  readonly log_key_id: string | null
  /** Plain text, in rows of earlier versions. `null` in rows with `bodies`. */
  readonly request: string | null
  readonly response: string | null
  /** Set in rows of versions that stored equal data once a day: an earlier call, which has the data. */
  readonly same_data_as: CallId | null
}

interface Bodies extends Pick<CallEntry, "request"> {
  readonly response: string | null
}

interface CallBodies extends Bodies {
  readonly id: CallId
}

/** The length from which bodies are compressed, in characters. */
const minCompressed = 2048

/** The length from which bodies are compressed on another thread, in characters. */
const minThreaded = 262_144

const format = { plain: "\0", brotli: Buffer.from([1]) }

/** Takes half as long as the first level of zstd or deflate for a body of 4 kB. */
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

const compress = promisify<Buffer, object, Buffer>(brotliCompress)
const decompress = promisify<Uint8Array, Buffer>(brotliDecompress)

/** Shown instead of a body that cannot be decrypted. */
const unreadable = JsonText.stringify({
  unreadable: true,
  reason: "The service cannot decrypt this body. Its encryption key may be missing."
})

const encryptWith = ({ id, request, response }: CallBodies, key: LogKey) => {
  const seal = (plain: string | Buffer) => ({ bodies: encryptBytes(key.key, plain, id), log_key_id: key.id })
  const sealCompressed = (compressed: Buffer) => seal(Buffer.concat([format.brotli, compressed]))
  // No JSON text has a NUL.
  const text = `${request ?? ""}\0${response ?? ""}`
  if (text.length < minCompressed) return Effect.sync(() => seal(format.plain + text))
  const bytes = Buffer.from(text)
  // zlib's own buffer of 16 kB for each body is memory outside of V8's heap, which costs garbage collections.
  return text.length < minThreaded
    ? Effect.sync(() => sealCompressed(brotliCompressSync(bytes, { ...fast, chunkSize: bytes.length })))
    : Effect.map(Effect.promise(() => compress(bytes, fast)), sealCompressed)
}

/** Encrypts request and response of a logged call together, bound to its id. */
export class LogBodies extends Context.Service<LogBodies, {
  readonly encrypt: (call: CallBodies) => Effect.Effect<Pick<BodyColumns, "bodies" | "log_key_id">, SqlError>
  /** `earlier` finds the call of `same_data_as`. Without their key, the bodies say that they cannot be read. */
  readonly decrypt: <E>(
    id: CallId,
    row: BodyColumns,
    earlier: (id: CallId) => Effect.Effect<BodyColumns | undefined, E>
  ) => Effect.Effect<Pick<StoredCall, "request" | "response">, E>
}>()("openaccounts/Calls/Log/Storage/LogBodies") {
  static readonly layer = Layer.effect(
    LogBodies,
    Effect.gen(function*() {
      const keys = yield* makeLogKeys

      const encrypt = (call: CallBodies) => Effect.flatMap(keys.keyOf(call.id), (key) => encryptWith(call, key))

      const bodiesOf = Effect.fnUntraced(function* bodiesOf(
        id: CallId,
        { bodies, log_key_id, request, response }: BodyColumns
      ): Effect.fn.Return<Bodies | undefined> {
        if (bodies === null || log_key_id === null) return { request, response }
        const key = yield* keys.find(log_key_id)
        if (key === undefined) return undefined
        const plain = yield* Effect.orElseSucceed(Effect.try(() => decryptBytes(key, bodies, id)), () => undefined)
        if (plain === undefined) return undefined
        const isCompressed = plain[0] === format.brotli[0]
        const content = plain.subarray(1)
        const text = `${isCompressed ? yield* Effect.promise(() => decompress(content)) : content}`
        const end = text.indexOf("\0")
        return { request: text.slice(0, end) || null, response: text.slice(end + 1) || null }
      })

      return LogBodies.of({
        encrypt,
        decrypt: Effect.fnUntraced(function* decrypt(id, row, earlier) {
          const own = yield* bodiesOf(id, row)
          if (own === undefined) return { request: unreadable, response: unreadable }
          const { same_data_as: earlierId } = row
          const source = earlierId === null ? undefined : yield* earlier(earlierId)
          const shared = source === undefined || earlierId === null ? undefined : yield* bodiesOf(earlierId, source)
          return { request: toJson(own.request), response: toJson(withEarlierData(own.response, shared?.response)) }
        })
      })
    })
  )
}

/** The cursor is the id of a call with this prefix. */
const plainCursor = "log_"
const callPrefix = "call_"

/** The bodies that earlier versions stored as plain text. A rotation encrypts them. */
export const plainBodies: StoredSecrets<LogBodies | SqlClient.SqlClient> = {
  cursor: plainCursor,
  lost: null,
  reEncryption: Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const { encrypt } = yield* LogBodies

    const isPlain = sql`(request IS NOT NULL OR response IS NOT NULL)`

    const encryptRow = Effect.fnUntraced(function* encryptRow(call: CallBodies) {
      const { bodies, log_key_id } = yield* encrypt(call)
      yield* sql`
        UPDATE calls SET bodies = ${bodies}, log_key_id = ${log_key_id}, request = NULL, response = NULL
        WHERE created_at = ${new Date(idMillis(call.id))} AND id = ${call.id} AND ${isPlain}`
    }, Effect.orDie)

    const plain = (cursor: string | undefined, count: number) =>
      sql<CallBodies>`
        SELECT id, request, response FROM calls
        WHERE ${isPlain} AND ${
        cursor === undefined ? sql`true` : sql`(created_at, id) < (${new Date(idMillis(cursor))}, ${cursor})`
      }
        ORDER BY created_at DESC, id DESC LIMIT ${count}`

    return {
      reEncrypt: Effect.fn("LogBodies.encryptPlain")(function*({ cursor, ...page }) {
        const after = cursor === undefined ? page : { ...page, cursor: cursor.replace(plainCursor, callPrefix) }
        const { cursor: last, items } = yield* selectFitting(after, plain)
        yield* Effect.forEach(items, encryptRow, { concurrency: 8, discard: true })
        return { rotated: items.length, failed: [], cursor: last?.replace(callPrefix, plainCursor) ?? null }
      }),
      remaining: Effect.map(
        Effect.orDie(sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM calls WHERE ${isPlain}`),
        (rows) => new Map(rows.map(({ count }) => ["", count]))
      )
    }
  })
}

const toJson = (text: string | null) => text === null ? null : JsonText.trusted(text)
