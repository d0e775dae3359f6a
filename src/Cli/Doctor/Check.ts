import { Config, Duration, Effect } from "effect"
import { settingProblem } from "../Failure.ts"

/** What was found out about one thing. */
export interface Finding {
  readonly status: "ok" | "warning" | "problem" | "skipped"
  readonly detail: string
}

export interface Check extends Finding {
  readonly check: string
}

export const ok = (detail: string): Finding => ({ status: "ok", detail })
export const warning = (detail: string): Finding => ({ status: "warning", detail })
export const problem = (detail: string): Finding => ({ status: "problem", detail })
export const skipped = (detail: string): Finding => ({ status: "skipped", detail })

/** A check that could not be made has found a problem: the reason why. */
export const check = <E extends { readonly message: string }, R>(
  name: string,
  finding: Effect.Effect<Finding, E, R>
): Effect.Effect<Check, never, R> =>
  finding.pipe(
    Effect.catch((error) =>
      Effect.succeed(problem(error instanceof Config.ConfigError ? settingProblem(error) : error.message))
    ),
    Effect.map((finding) => ({ check: name, ...finding }))
  )

/** How long an answer is waited for. */
export const patience = Duration.seconds(5)

export const isSandboxed = Config.Literals(["live", "sandbox"], "PROVIDER_MODE").pipe(
  Config.withDefault("live"),
  Effect.map((mode) => mode === "sandbox")
)
