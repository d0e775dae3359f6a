import { Predicate } from "effect"
import { existsSync, readdirSync } from "node:fs"
import * as Errors from "../../src/Api/Errors.ts"
import * as ProviderErrors from "../../src/Api/Errors/ProviderErrors.ts"
import * as RequestErrors from "../../src/Api/Errors/RequestErrors.ts"
import * as WriteErrors from "../../src/Api/Errors/WriteErrors.ts"
import * as ManagementErrors from "../../src/Api/ManagementErrors.ts"

const features = new URL("../../src/Features/", import.meta.url)

const contracts: ReadonlyArray<Readonly<Record<string, unknown>>> = await Promise.all(
  readdirSync(features)
    .map((name) => new URL(`${name}/Contract.ts`, features))
    .filter((file) => existsSync(file))
    .map((file) => import(file.href))
)

/** The errors that the core and the features declare, by their codes. */
export const apiErrors = new Map(
  [Errors, ManagementErrors, ProviderErrors, RequestErrors, WriteErrors, ...contracts].flatMap((module) =>
    Object.values(module).flatMap((each) =>
      Predicate.isFunction(each) && "code" in each && "status" in each ? [[`${each.code}`, each.status] as const] : []
    )
  )
)
