import { Config, Duration } from "effect"
import { PositiveDuration } from "../../Domain/Validation/DurationText.ts"

export const approvalTimeToLive = Config.schema(PositiveDuration, "APPROVAL_TTL").pipe(
  Config.withDefault(Duration.hours(1))
)
