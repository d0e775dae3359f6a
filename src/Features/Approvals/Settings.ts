import { Config, Duration } from "effect"
import { DurationText } from "../../Domain/Validation/DurationText.ts"

export const approvalTimeToLive = Config.schema(DurationText, "APPROVAL_TTL").pipe(
  Config.withDefault(Duration.hours(1))
)
