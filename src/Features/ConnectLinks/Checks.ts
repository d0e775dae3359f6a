import { Effect, Option } from "effect"
import { check, ok } from "../../Cli/Commands/Doctor/Check.ts"
import { readServiceAccount } from "../../Connections/Connect/ConnectMethods.ts"
import { operatorBranding } from "../../Pages/OperatorBranding.ts"
import { connectRedirectOrigins } from "./Settings.ts"

export const linksCheck = Effect.gen(function*() {
  const { name } = yield* operatorBranding
  const origins = yield* connectRedirectOrigins
  const serviceAccount = yield* readServiceAccount
  return ok([
    `show the name "${name}" (APP_NAME)`,
    ...origins.length === 0 ? [] : [`return to ${origins.join(", ")}`],
    ...Option.isNone(serviceAccount) ? [] : [`offer to invite ${serviceAccount.value.email}`]
  ].join(", "))
}).pipe(check("connect links"))
