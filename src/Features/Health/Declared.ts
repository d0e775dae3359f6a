import { Schema } from "effect"
import { Connection } from "../../Domain/Connection.ts"
import { HealthReason } from "../../Domain/Health.ts"

export const healthActions = {
  "connection.at_risk": "found at risk",
  "connection.recovered": "found well again"
}

export const healthEvents = {
  "connection.at_risk": "a connection will stop working, or has begun to fail",
  "connection.recovered": "a connection at risk is well again"
}

export const HealthEvent = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("connection.at_risk"),
    data: Schema.Struct({ connection: Connection, reason: HealthReason })
  }),
  Schema.Struct({ type: Schema.Literal("connection.recovered"), data: Schema.Struct({ connection: Connection }) })
])
