import { Config, Duration, Effect, Schema } from "effect"
import { logRetention } from "../../Calls/Log/Storage/Retention.ts"
import { PositiveDuration } from "../../Domain/Validation/DurationText.ts"

const hasDatabase = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname.length > 1
}

const ClickHouseUrl = Schema.RedactedFromValue(Schema.String.check(
  Schema.makeFilter(hasDatabase, { message: "Expected a URL like http://user:password@host:8123/database" })
))

export const clickHouseSecrets = ["CLICKHOUSE_URL"]

export const clickHouseUrl = Config.option(Config.schema(ClickHouseUrl, "CLICKHOUSE_URL"))

/** How long Postgres keeps the log. ClickHouse keeps it for `logRetention`. */
export const localRetention = Effect.gen(function*() {
  const local = yield* Config.schema(PositiveDuration, "LOG_LOCAL_RETENTION").pipe(Config.withDefault(Duration.days(7)))
  return Duration.min(local, yield* logRetention)
})
