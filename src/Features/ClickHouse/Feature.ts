import { Effect, Layer, Option } from "effect"
import { CallLog } from "../../Calls/Log/CallLog.ts"
import { LogStore } from "../../Calls/Log/LogStore.ts"
import type { Feature } from "../Feature.ts"
import { clickHouseLog } from "./ClickHouseLog.ts"
import { clickHouseUrl, localRetention } from "./Settings.ts"

const settings = Effect.all({ url: clickHouseUrl, localRetention })

/** Keeps the log in ClickHouse, and its latest days in Postgres. */
export const clickHouse: Feature = {
  name: "clickhouse",
  layer: Layer.empty,
  owns: {
    storage: Layer.effect(
      LogStore,
      Effect.map(settings, ({ url }) => Option.match(url, { onNone: () => CallLog.layer, onSome: clickHouseLog }))
    ),
    settings: [settings],
    settingNames: ["CLICKHOUSE_URL", "LOG_LOCAL_RETENTION"]
  }
}
