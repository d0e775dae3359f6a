import { Duration, Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { SqlClient } from "effect/sql"
import { Api } from "../Api/Api.ts"

const ok = { ok: true } as const

/** Who asks whether the service is ready wants to know it soon. */
const patience = Duration.seconds(2)

export const HealthHandlers = HttpApiBuilder.group(
  Api,
  "health",
  Effect.fn(function*(handlers) {
    const sql = yield* SqlClient.SqlClient

    return handlers.handleAll({
      healthz: () => Effect.succeed(ok),
      // A call that cannot be logged is not answered: a database that is only read is of no use.
      readyz: () =>
        sql<{ readonly writable: boolean }>`SELECT current_setting('transaction_read_only') = 'off' AS writable`.pipe(
          Effect.timeout(patience),
          Effect.flatMap(([row]) =>
            row?.writable === true ? Effect.succeed(ok) : Effect.fail("The database is read-only")
          ),
          Effect.orDie
        )
    })
  })
)
