import { Effect } from "effect"
import { extname } from "node:path"
import type { RateLimited } from "../../../Api/Errors.ts"
import { Processes } from "../../../Capacity/Processes.ts"
import type { MemberId } from "../../../Domain/Ids.ts"
import type { ResultNotFound } from "../Contract.ts"
import type { TableForm } from "../TableWriter.ts"
import type { KeptResults } from "./KeptResults.ts"
import { type PageJob, type PageRequest, writePage, type WrittenPage } from "./Page.ts"
import type { StoredResult } from "./StoredResult.ts"

const processes = new Processes<PageJob, WrittenPage>({
  module: new URL(`./PageProcess${extname(import.meta.url)}`, import.meta.url),
  size: 1,
  maxHeap: 512,
  refusal: "The member reads too many pages of kept results at once."
})

/** The longest page that is written on the main thread, in bytes. It takes about 20 ms. */
const maxHere = 1_000_000

/** CPU time that the longest page may take. */
const withinMillis = 30_000

export const readPage = Effect.fnUntraced(function*(
  results: KeptResults["Service"],
  member: MemberId,
  result: StoredResult,
  { form, ...range }: PageRequest & { readonly form: TableForm }
): Effect.fn.Return<WrittenPage, ResultNotFound | RateLimited> {
  const columns = yield* results.columns(result)
  const stored = yield* results.chunks(result, { ...range, bytes: form.limit })
  const job = { ...range, ...stored, columns, total: result.rows, part: result.part, form }
  const lengths = stored.chunks.map(({ json }) => json.length)
  if (lengths.reduce((sum, length) => sum + length, 0) <= maxHere) return writePage(job)
  return yield* processes.run(member, Effect.succeed(job), { withinMillis }).pipe(
    Effect.catchTags({ JobTooLong: Effect.die, JobTooLarge: Effect.die })
  )
})
