import { Config, Duration } from "effect"
import { PositiveDuration } from "../../../Domain/Validation/DurationText.ts"

export const logRetention = Config.schema(PositiveDuration, "LOG_RETENTION").pipe(Config.withDefault(Duration.days(90)))
