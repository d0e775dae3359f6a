import { Duration, Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { SqlClient } from "effect/sql"
import { CoreApi } from "../../Api/CoreApi.ts"
import { CallLog } from "../../Calls/Log/CallLog.ts"
import { MissingKeys } from "../../Management/MissingKeys.ts"
import { ClientAddress } from "../Server/ClientAddress.ts"

const ok = { ok: true } as const

const readinessTimeout = Duration.seconds(2)

export const HealthHandlers = HttpApiBuilder.group(
  CoreApi,
  "health",
  Effect.fn(function*(handlers) {
    const sql = yield* SqlClient.SqlClient
    const { isProxyUntrusted } = yield* ClientAddress
    const missingKeys = yield* MissingKeys
    const { isDegraded = Effect.succeed(false) } = yield* CallLog
    const ready = Effect.gen(function*() {
      const missing = yield* missingKeys.current
      const degraded = [
        ...(missing.length === 0 ? [] : ["encryption_keys" as const]),
        ...((yield* isDegraded) ? ["clickhouse" as const] : [])
      ]
      return {
        ...ok,
        ...(degraded.length === 0 ? {} : { degraded }),
        ...((yield* isProxyUntrusted) ? { warnings: ["untrusted_proxy" as const] } : {})
      }
    })

    // A read-only database cannot log calls, so the service cannot serve them. Requests at the same time, which need no
    // key, share one check.
    const checked = yield* Effect.cachedWithTTL(
      sql<{ readonly writable: boolean }>`SELECT current_setting('transaction_read_only') = 'off' AS writable`.pipe(
        Effect.timeout(readinessTimeout),
        Effect.flatMap(([row]) => row?.writable === true ? ready : Effect.fail("The database is read-only")),
        Effect.orDie
      ),
      0
    )

    return handlers.handleAll({
      healthz: () => Effect.succeed(ok),
      readyz: () => checked
    })
  })
)
