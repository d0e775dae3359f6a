import { Effect } from "effect"
import { HttpApiBuilder } from "effect/unstable/httpapi"
import { SqlClient } from "effect/unstable/sql"
import { Api } from "../Api/Api.ts"

const ok = { ok: true } as const

export const HealthHandlers = HttpApiBuilder.group(
  Api,
  "health",
  Effect.fn(function*(handlers) {
    const sql = yield* SqlClient.SqlClient

    return handlers.handleAll({
      healthz: () => Effect.succeed(ok),
      readyz: () => Effect.as(Effect.orDie(sql`SELECT 1`), ok)
    })
  })
)
