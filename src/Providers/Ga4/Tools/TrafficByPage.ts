import { Effect, Schema } from "effect"
import { objectsIn } from "../../../Domain/Table/TableSource.ts"
import { described, tool } from "../../Provider.ts"
import {
  compareField,
  compareFigures,
  comparisonFields,
  previousWindow,
  previousWindowFields
} from "../../Tooling/Comparison.ts"
import { flag, integer, offsetField, optionalText } from "../../Tooling/Fields.ts"
import { Integer } from "../../Tooling/Integer.ts"
import { pageInfoFields } from "../../Tooling/Paging.ts"
import { explainFilters } from "../EmptyResult.ts"
import { isNotSet, mergeNotSet, readPages, sumNotSet } from "../LandingPages.ts"
import { dataWarnings, lowQuota, previousWarnings } from "../ReportQuality.ts"
import { reportedWindow, reportWindow, sentWindow } from "../ReportWindow.ts"
import { propertyField } from "../Schemas.ts"
import {
  emptyReport,
  fetchPrevious,
  fetchReports,
  noSessions,
  notSetPages,
  pageFigures,
  topPages,
  totalFigures,
  totals
} from "../TrafficReports.ts"

const Input = Schema.Struct({
  property: propertyField,
  ...reportWindow.fields,
  ...compareField,
  limit: integer({ description: "Maximum number of rows to return.", minimum: 1, maximum: 500, default: 25 }),
  offset: offsetField(1_000_000),
  channel: optionalText({
    description: "Only sessions of this default channel group, such as \"Organic Search\".",
    maxLength: 200
  }),
  page_contains: optionalText({
    description: "Only landing pages that contain this text, in any case.",
    maxLength: 500
  }),
  hostname: optionalText({ description: "Only this host, such as `www.example.com`.", maxLength: 253 }),
  include_query_string: flag({
    description: "Keep query strings in pages. Campaign tags then split one page into many rows.",
    default: false
  }),
  exclude_not_set: flag({
    description: "Leave out sessions without a landing page, from the totals too.",
    default: false
  })
}).check(reportWindow.rules).pipe(Schema.decode(reportWindow.withDefault()))

const Rate = Schema.NullOr(Schema.Finite).annotate({ description: "A fraction: 0.05 is 5 %." })

const pageFields = { sessions: Integer, users: Integer, engagement_rate: Rate }
const totalFields = { sessions: Integer, users: Integer, engaged_sessions: Integer, engagement_rate: Rate }

const Tokens = Schema.NullOr(Integer)

const Day = Schema.String.annotate({
  description: "`YYYY-MM-DD`. When the time zone is unknown, as in the request: `28daysAgo`, `yesterday`."
})

const Output = Schema.Struct({
  property_id: Schema.String,
  start: Day,
  end: Day,
  time_zone: Schema.NullOr(Schema.String),
  ...previousWindowFields,
  totals: Schema.Struct({ ...totalFields, ...comparisonFields(totalFields) }),
  rows: Schema.Array(Schema.Struct({ page: Schema.String, ...pageFields, ...comparisonFields(pageFields) })),
  ...pageInfoFields,
  row_count: Integer,
  quota: Schema.optionalKey(
    Schema.Struct({ tokens_left_today: Tokens, tokens_left_hour: Tokens }).annotate({
      description: "The property's quota at the provider. Present when it is low."
    })
  ),
  note: Schema.optionalKey(Schema.String)
})

export const ga4TrafficByPage = tool({
  name: "ga4_traffic_by_page",
  ...described([
    "Top landing pages by sessions, with users and engagement rate, over the last N days.",
    "The window of `days` ends yesterday in the property's time zone; its last two days may still grow.",
    "`engagement_rate` is a fraction.",
    "Users of several pages do not add up; `totals` has the true number.",
    "A page is a path without host; `(not set)` are sessions without one.",
    "`note` says why figures are not exact.",
    "For other dimensions use the endpoint properties.runReport, for the last 30 minutes properties.runRealtimeReport."
  ], [
    "The window is `days` whole days, or `start` to `end`. Processing takes 24 to 48 hours.",
    "Sorted by sessions, most first, then by page.",
    "At most `limit` rows of `row_count` are returned.",
    "`has_more` says whether there are more, `next_offset` where they start.",
    "With `compare`, `previous` has the figures of the window before and `change` the difference.",
    "Without data `rows` is empty and `note` says why, with the nearest values of a filter.",
    "For the property id use ga4_list_properties."
  ]),
  writes: false,
  input: Input,
  resources: { names: ({ property }) => property },
  rows: () => objectsIn("rows"),
  output: Output,
  run: Effect.fnUntraced(function*(input, provider) {
    const sent = sentWindow(input)
    const reports = yield* fetchReports(provider, input.property, [
      topPages(input, sent, input),
      totals(input, sent),
      ...(input.exclude_not_set ? [] : [notSetPages(input, sent)])
    ])
    const [pageReport = emptyReport, totalReport = emptyReport, notSetReport = emptyReport] = reports
    const pages = readPages(pageReport)
    const notSet = input.exclude_not_set ? undefined : sumNotSet([...pages, ...readPages(notSetReport)])
    const page = mergeNotSet(pages.filter((row) => !isNotSet(row)), notSet, input)
    const row_count = pageReport.rowCount - pages.filter(isNotSet).length + (notSet === undefined ? 0 : 1)
    const [total = noSessions] = readPages(totalReport)
    const { dates, notes: windowNotes, shown, timeZone } = yield* reportedWindow(reports, input)
    const previous = input.compare === undefined
      ? undefined
      : yield* fetchPrevious(provider, input, previousWindow(input.compare, dates), page.rows)
    const quota = lowQuota([...reports, ...previous?.reports ?? []])
    const notes = [
      ...dataWarnings(reports),
      ...windowNotes,
      ...previous === undefined ? [] : [...previousWarnings(reports, previous.reports), ...previous.notes],
      ...(page.rows.length > 0 ? [] : [
        input.offset > 0 && row_count > 0
          ? `\`offset\` is past the last of ${row_count} rows.`
          : `No sessions from ${shown.start} to ${shown.end} match.`
      ]),
      ...(total.sessions > 0 ? [] : yield* explainFilters(provider, input, sent))
    ]
    return {
      property_id: input.property,
      ...shown,
      ...previous?.fields,
      time_zone: timeZone,
      totals: {
        ...totalFigures(total),
        ...previous && compareFigures(totalFigures(total), totalFigures(previous.total))
      },
      rows: page.rows.map((row) => ({
        page: truncate(row.page),
        ...pageFigures(row),
        ...previous && compareFigures(pageFigures(row), pageFigures(previous.ofPage(row)))
      })),
      ...page.info,
      row_count,
      ...(quota === undefined ? {} : { quota }),
      ...(notes.length === 0 ? {} : { note: notes.join(" ") })
    }
  })
})

const maxPageLength = 300

const truncate = (page: string): string =>
  page.length <= maxPageLength ? page : `${page.slice(0, maxPageLength)}…(+${page.length - maxPageLength})`
