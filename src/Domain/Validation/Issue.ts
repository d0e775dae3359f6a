import { Result, Schema } from "effect"

export const Issue = Schema.Struct({
  path: Schema.Array(Schema.Union([Schema.String, Schema.Int])).annotate({
    description: "Path segments from the root of the request body, as in `[\"input\",\"body\",\"startDate\"]`."
  }),
  message: Schema.String
}).annotate({ identifier: "Issue" })
export type Issue = typeof Issue.Type

export const issuesIn = (result: Result.Result<unknown, ReadonlyArray<Issue>>): ReadonlyArray<Issue> =>
  Result.isFailure(result) ? result.failure : []

const maxListed = 100

/** The longest list of issues in bytes of JSON. An error body has at most 1 MiB. */
const maxBytes = 1_000_000

const maxSegment = 200
const maxMessage = 5_000

/** The first 100 issues, with long keys and messages cut. A last one gives the least number of further issues. */
export const listIssues = (issues: ReadonlyArray<Issue>): ReadonlyArray<Issue> => {
  const listed: Array<Issue> = []
  let bytes = 0
  for (const issue of issues) {
    const next = cutIssue(issue)
    bytes += Buffer.byteLength(JSON.stringify(next))
    if (listed.length === maxListed || bytes > maxBytes) break
    listed.push(next)
  }
  const last = issues.at(-1)
  if (last === undefined || listed.length === issues.length) return listed
  return [...listed, { ...cutIssue(last), message: `There are at least ${issues.length - listed.length} more issues` }]
}

const cutIssue = ({ message, path }: Issue): Issue => ({
  path: path.map((segment) => typeof segment === "string" ? cut(segment, maxSegment) : segment),
  message: cutMessage(message)
})

export const cutMessage = (message: string): string => cut(message, maxMessage)

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text
