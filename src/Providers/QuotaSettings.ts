import { Config, Option, Schema } from "effect"
import { nameNearest } from "../Domain/Text/Nearest.ts"
import type { Quota } from "./Quota.ts"

const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000 }))

const QuotasText = Schema.Union([Schema.Literal("off"), Schema.fromJsonString(Schema.Record(Schema.String, Limit))])

/** `QUOTAS`: limits by name of the quota, or `off`, which leaves the limits of the sandbox as they are. */
export const quotaLimits = (known: ReadonlyArray<Quota>) => {
  const names = new Set(known.map(({ name }) => name))
  const isKnown = Schema.makeFilter((value: typeof QuotasText.Type) => {
    const unknown = value === "off" ? undefined : Object.keys(value).find((name) => !names.has(name))
    return unknown === undefined ||
      `${JSON.stringify(unknown)} is no quota. The nearest are ${nameNearest(unknown, [...names], (name) => name)}`
  })
  return Config.map(
    Config.option(Config.schema(QuotasText.check(isKnown), "QUOTAS")),
    (value): { readonly isOff: boolean; readonly quotas: ReadonlyArray<Quota> } => {
      const limits = Option.getOrUndefined(value)
      if (limits === "off") return { isOff: true, quotas: known }
      return { isOff: false, quotas: known.map((quota) => ({ ...quota, limit: limits?.[quota.name] ?? quota.limit })) }
    }
  )
}
