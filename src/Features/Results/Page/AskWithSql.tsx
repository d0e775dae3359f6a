import { Effect, Option, Schema } from "effect"
import type { CallRequest } from "../../../Api/Calls/CallApi.ts"
import { tableIn } from "../../../Dashboard/Data/TableIn.ts"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { loadLater } from "../../../Dashboard/Parts/LoadLater.tsx"
import { useServiceMutation } from "../../../Dashboard/Service/Queries.ts"
import { TablePart } from "../../../Domain/Calls/TablePart.ts"
import { isPart } from "../../../Domain/Table/PartOf.ts"
import { KeptResult } from "../Result.ts"

const SqlPanel = loadLater(async () => (await import("./SqlPanel.tsx")).SqlPanel, <span className="placeholder" />)

const decode = Schema.decodeUnknownOption(Schema.Struct({ result: KeptResult, ...TablePart.fields }))

/** The kept result that a response has. */
const keptIn = (data: unknown) => Option.getOrUndefined(decode(data))

/** Seconds. The response that is shown comes from the cache. */
const maxAge = 3600

/** Keeps the table of a read, so that it can be asked with SQL. */
export const AskWithSql = (
  { data, request }: { readonly data: unknown; readonly request: CallRequest | undefined }
) => {
  const keep = useServiceMutation(
    ({ call }, request: CallRequest) =>
      Effect.map(call.call({ payload: { ...request, keep: true, max_age: maxAge } }), ({ data }) => keptIn(data)),
    ["newest"]
  )
  const kept = keptIn(data) ?? keep.data
  if (kept) {
    const { result, ...part } = kept
    return <SqlPanel part={isPart(part) ? part : undefined} result={result} />
  }
  if (request === undefined || tableIn(data, request) === undefined) return null
  return (
    <>
      <button type="button" className="small" disabled={keep.isPending} onClick={() => keep.mutate(request)}>
        Ask with SQL
      </button>
      {keep.error && <ErrorNotice error={keep.error} />}
    </>
  )
}
