import { Config, Duration, Effect } from "effect"
import type { Check, Finding } from "../../../Settings.ts"
import { configMessage } from "../../Failure.ts"

export const ok = (detail: string): Finding => ({ status: "ok", detail })
export const warning = (detail: string): Finding => ({ status: "warning", detail })
export const problem = (detail: string): Finding => ({ status: "problem", detail })
export const skipped = (detail: string): Finding => ({ status: "skipped", detail })

export const check =
  (name: string) =>
  <E extends { readonly message: string }, R>(finding: Effect.Effect<Finding, E, R>): Effect.Effect<Check, never, R> =>
    finding.pipe(
      Effect.catch((error) =>
        Effect.succeed(problem(error instanceof Config.ConfigError ? configMessage(error) : error.message))
      ),
      Effect.map((finding) => ({ check: name, ...finding }))
    )

export const responseTimeout = Duration.seconds(5)
