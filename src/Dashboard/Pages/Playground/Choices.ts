import { Effect, Option, Schema } from "effect"
import type { CallRequest } from "../../../Api/Calls/CallApi.ts"
import { useServiceQuery } from "../../Service/Queries.ts"
import type { Input } from "./ToolField.ts"

export interface Choice {
  readonly value: string
  readonly title?: string
}

interface Picker {
  readonly request: (input: Input) => Pick<CallRequest, "tool" | "endpoint" | "input"> | undefined
  readonly choices: (data: unknown) => ReadonlyArray<Choice>
}

const choicesOf = <A>(schema: Schema.ConstraintDecoder<A>, of: (data: A) => ReadonlyArray<Choice>) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (data: unknown) => Option.match(decode(data), { onNone: () => [], onSome: of })
}

const Sites = Schema.Struct({ siteEntry: Schema.optional(Schema.Array(Schema.Struct({ siteUrl: Schema.String }))) })
const Properties = Schema.Struct({
  properties: Schema.Array(Schema.Struct({ property_id: Schema.String, name: Schema.String }))
})
const OwnSites = Schema.Struct({ d: Schema.Array(Schema.Struct({ Url: Schema.String })) })
const SpreadsheetTabs = Schema.Struct({ tabs: Schema.Array(Schema.Struct({ tab: Schema.String })) })

/** By provider and field of a tool, the read that lists what the account has. */
const pickers: Readonly<Record<string, Picker>> = {
  "gsc site": {
    request: () => ({ endpoint: "sites.list" }),
    choices: choicesOf(Sites, ({ siteEntry = [] }) => siteEntry.map(({ siteUrl }) => ({ value: siteUrl })))
  },
  "ga4 property": {
    request: () => ({ tool: "ga4_list_properties", input: {} }),
    choices: choicesOf(
      Properties,
      ({ properties }) => properties.map(({ name, property_id }) => ({ value: property_id, title: name }))
    )
  },
  "sitesearch site": {
    request: () => ({ endpoint: "GetUserSites" }),
    choices: choicesOf(OwnSites, ({ d }) => d.map(({ Url }) => ({ value: Url })))
  },
  "gsheets tab": {
    request: ({ spreadsheet }) =>
      typeof spreadsheet === "string" ? { tool: "sheets_list_tabs", input: { spreadsheet } } : undefined,
    choices: choicesOf(SpreadsheetTabs, ({ tabs }) => tabs.map(({ tab }) => ({ value: tab })))
  }
}

export const hasChoices = (provider: string, field: string): boolean => `${provider} ${field}` in pickers

/** Seconds. Lists of sites and properties change rarely. */
const maxAge = 600

/** Asks the provider when `enabled`, which is when the field has the focus. A failure leaves the field without choices. */
export const useChoices = (
  { connectionId, field, input, provider }: {
    readonly provider: string
    readonly field: string
    readonly connectionId: string | undefined
    readonly input: Input
  },
  enabled: boolean
): ReadonlyArray<Choice> => {
  const picker = pickers[`${provider} ${field}`]
  const asked = picker?.request(input)
  const { data } = useServiceQuery(
    ["choices", provider, connectionId, asked],
    ({ call }) =>
      Effect.map(
        call.call({
          payload: {
            provider,
            ...asked,
            ...connectionId !== undefined && { connection_id: connectionId },
            max_age: maxAge
          }
        }),
        ({ data }) => picker?.choices(data) ?? []
      ),
    { enabled: enabled && asked !== undefined && connectionId !== undefined }
  )
  return data ?? []
}
