import { Config, Schema } from "effect"

const Price = Schema.FiniteFromString.check(Schema.isGreaterThanOrEqualTo(0))

const Bytes = Schema.FiniteFromString.check(Schema.isInt(), Schema.isGreaterThanOrEqualTo(0))

export const callSettings = Config.all({
  logBodyBytes: Config.schema(Bytes, "LOG_BODY_BYTES").pipe(Config.withDefault(65_536)),
  price: Config.schema(Price, "CALL_PRICE_USD").pipe(Config.withDefault(0))
})
