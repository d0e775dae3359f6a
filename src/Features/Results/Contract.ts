import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { apiError } from "../../Api/ApiError.ts"
import { CallerRequired } from "../../Api/Authentication.ts"
import { Format } from "../../Api/Calls/CallApi.ts"
import { InvalidInput, RateLimited } from "../../Api/Errors.ts"
import { group, served } from "../../Api/Group.ts"
import { AnswerBytes, JsonRequestBody, maxAnswerBytes } from "../../Api/Middleware.ts"
import { describeQuery, operation, pagesOf } from "../../Api/Responses.ts"
import { TablePart } from "../../Domain/Calls/TablePart.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { ResultColumn, ResultSummary } from "./Result.ts"

export const maxRows = 10_000

const format = Format.annotate({
  description:
    "All but `json`: the body is that text. Where rows are missing, it has the header `OpenAccounts-Truncated`, and " +
    "`OpenAccounts-Part` where the kept table is a part of what there is."
}).pipe(Schema.optionalKey)

const ofBytes = `${maxAnswerBytes / 1e6} MB`

export const ResultRows = Schema.Struct({
  columns: Schema.Array(ResultColumn),
  rows: Schema.Array(Schema.Array(Schema.Unknown)).annotate({
    description: "Each row is a list of cells in the order of `columns`."
  }),
  total: Schema.Int.annotate({ description: "How many rows the result has." }),
  truncated: Schema.Literal(true).pipe(Schema.optionalKey).annotateKey({
    description: `Rows of the page are missing, because it has at most ${ofBytes}.`
  }),
  part: TablePart.pipe(Schema.optionalKey)
}).annotate({ identifier: "ResultRows" })

export const ResultQuery = Schema.Struct({
  sql: Schema.String.check(Schema.isBetweenLength(1, 100_000)).annotate({
    description: "One `SELECT` in SQLite's dialect. The result is the table `result`."
  }),
  format,
  results: Schema.Record(
    Schema.String.check(
      Schema.isPattern(/^(?!result$|sqlite_)[A-Za-z_]\w{0,62}$/i, {
        message: "Expected the name of a table other than result: letters, digits and _"
      })
    ),
    Lookup
  ).check(Schema.isMaxProperties(4)).annotate({ description: "Further tables: their names, with ids of results." })
    .pipe(
      Schema.optionalKey
    )
}).annotate({ identifier: "ResultQuery" })
export type ResultQuery = typeof ResultQuery.Type

export const QueriedRows = Schema.Struct({
  columns: ResultRows.fields.columns,
  rows: ResultRows.fields.rows,
  truncated: Schema.Boolean.annotate({
    description: `Whether rows are missing, because there are more than ${maxRows} rows or ${ofBytes}.`
  }),
  parts: Schema.Record(Schema.String, TablePart).pipe(Schema.optionalKey).annotateKey({
    description: "The tables that are parts of what there is, by their names. The answer is about these parts."
  })
}).annotate({ identifier: "QueriedRows" })

export const rowNumbers = {
  offset: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 })).annotate({
    description: "The first row, from 0.",
    default: 0
  }),
  limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxRows })).annotate({
    description: "The most rows to return.",
    default: 100
  })
}

export class ResultNotFound extends apiError("ResultNotFound", {
  code: "result_not_found",
  status: 404,
  when: "The caller has no kept result with that id, or it has ended"
}) {}

export class ResultsGroup extends group("results", { title: "Results", listener: "both" })
  .add(
    pagesOf("results", ResultSummary).annotateMerge(
      operation("listResults", "List the kept results of the caller, newest first")
    ),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: Lookup },
      query: {
        offset: rowNumbers.offset.pipe(Schema.optionalKey),
        limit: rowNumbers.limit.pipe(Schema.optionalKey),
        format
      },
      success: ResultRows,
      error: [InvalidInput.schema, ResultNotFound.schema]
    }).annotate(AnswerBytes, maxAnswerBytes).annotateMerge(operation("getResult", "Get rows of a kept result"))
      .annotateMerge(describeQuery(rowNumbers)),
    HttpApiEndpoint.post("query", "/:id/query", {
      params: { id: Lookup },
      payload: ResultQuery,
      success: QueriedRows,
      error: [InvalidInput.schema, ResultNotFound.schema, RateLimited.schema]
    }).annotate(AnswerBytes, maxAnswerBytes).middleware(JsonRequestBody).annotateMerge(
      operation("queryResult", "Ask a kept result with SQL", { sql: "SELECT count(*) AS rows FROM result" })
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: { id: Lookup },
      success: HttpApiSchema.NoContent,
      error: ResultNotFound.schema
    }).annotateMerge(operation("deleteResult", "Delete a kept result"))
  )
  .middleware(CallerRequired)
  .prefix("/v1/results")
{}

export class ResultsApi extends served([ResultsGroup]) {}
