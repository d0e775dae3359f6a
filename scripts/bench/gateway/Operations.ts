import { Ajv, type ValidateFunction } from "ajv"

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true })

interface CallRequest {
  readonly provider: string
  readonly endpoint?: string
  readonly tool?: string
  readonly input?: RawInput
  readonly connection_id?: string
  readonly max_age?: number
}

interface RawInput {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: unknown
}

export const isCallRequest: ValidateFunction<CallRequest> = ajv.compile<CallRequest>({
  type: "object",
  properties: {
    provider: { type: "string" },
    endpoint: { type: "string" },
    tool: { type: "string" },
    input: { type: "object" },
    connection_id: { type: "string" },
    max_age: { type: "integer", minimum: 0, maximum: 604_800 }
  },
  required: ["provider"],
  oneOf: [{ required: ["endpoint"] }, { required: ["tool"] }],
  additionalProperties: false
})

interface Operation {
  readonly method: "GET" | "POST" | "PUT"
  readonly origin: "gsc" | "gsheets"
  readonly path: string
  readonly writes: boolean
  readonly isInput: ValidateFunction<RawInput>
}

const googleQuery = {
  fields: { type: "string" },
  quotaUser: { type: "string" },
  prettyPrint: { type: "boolean" }
}

const closed = (properties: object, required: ReadonlyArray<string> = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false
})

const day = { type: "string", pattern: "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$" }
const siteUrl = { type: "string", pattern: "^(?:sc-domain:[^/\\s]+|https?://\\S+/)$" }
const cell = { type: ["string", "number", "boolean", "null"] }
const range = { type: "string", minLength: 1 }

export const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ["gsc sites.list", {
    method: "GET",
    origin: "gsc",
    path: "/webmasters/v3/sites",
    writes: false,
    isInput: ajv.compile<RawInput>(closed({ query: closed(googleQuery) }))
  }],
  ["gsc searchanalytics.query", {
    method: "POST",
    origin: "gsc",
    path: "/webmasters/v3/sites/{siteUrl}/searchAnalytics/query",
    writes: false,
    isInput: ajv.compile<RawInput>(closed({
      path: closed({ siteUrl }, ["siteUrl"]),
      query: closed(googleQuery),
      body: closed({
        startDate: day,
        endDate: day,
        dimensions: {
          type: "array",
          items: { enum: ["query", "page", "country", "device", "date", "hour", "searchAppearance"] },
          uniqueItems: true
        },
        type: { enum: ["web", "image", "video", "news", "discover", "googleNews"] },
        dimensionFilterGroups: {
          type: "array",
          items: closed({
            groupType: { const: "and" },
            filters: {
              type: "array",
              items: closed({
                dimension: { enum: ["query", "page", "country", "device", "searchAppearance"] },
                operator: {
                  enum: ["equals", "notEquals", "contains", "notContains", "includingRegex", "excludingRegex"]
                },
                expression: { type: "string", maxLength: 4096 }
              }, ["dimension", "expression"])
            }
          })
        },
        aggregationType: { enum: ["auto", "byPage", "byProperty", "byNewsShowcasePanel"] },
        dataState: { enum: ["all", "final", "hourly_all"] },
        rowLimit: { type: "integer", minimum: 1, maximum: 25_000 },
        startRow: { type: "integer", minimum: 0 }
      }, ["startDate", "endDate"])
    }, ["path", "body"]))
  }],
  ["gsheets values.update", {
    method: "PUT",
    origin: "gsheets",
    path: "/v4/spreadsheets/{spreadsheetId}/values/{range}",
    writes: true,
    isInput: ajv.compile<RawInput>(closed({
      path: closed({ spreadsheetId: { type: "string", pattern: "^[\\w-]+$" }, range }, ["spreadsheetId", "range"]),
      query: closed({
        ...googleQuery,
        valueInputOption: { enum: ["RAW", "USER_ENTERED"] },
        includeValuesInResponse: { type: "boolean" },
        responseValueRenderOption: { enum: ["FORMATTED_VALUE", "UNFORMATTED_VALUE", "FORMULA"] },
        responseDateTimeRenderOption: { enum: ["SERIAL_NUMBER", "FORMATTED_STRING"] }
      }, ["valueInputOption"]),
      body: closed({
        range,
        majorDimension: { enum: ["ROWS", "COLUMNS"] },
        values: { type: "array", items: { type: "array", items: cell } }
      }, ["values"])
    }, ["path", "query", "body"]))
  }]
])

export const requestTarget = ({ path }: Operation, input: RawInput): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.path?.[name] ?? ""))
  if (input.query === undefined) return filled
  const query = Object.entries(input.query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`
}
