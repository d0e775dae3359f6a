import { Config, Duration } from "effect"
import { DurationText } from "../../../Domain/Validation/DurationText.ts"

export const logRetention = Config.schema(DurationText, "LOG_RETENTION").pipe(Config.withDefault(Duration.days(90)))
