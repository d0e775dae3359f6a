import { Data } from "effect"
import { InvalidInput } from "../../Api/Errors.ts"
import type { ErrorCheck } from "../../Api/Errors/ErrorCheck.ts"

const fields = {
  denied: "error",
  provider_error: "error",
  sign_in_over: "state",
  scope_missing: "scope",
  confirmation_over: "pending",
  opener_unknown: "opener"
} as const

/**
 * Why no account was connected.
 *
 * - `denied`: the person refused at the provider.
 * - `provider_error`: the provider ended the sign-in.
 */
export class ConnectRefused extends Data.TaggedError("ConnectRefused")<{
  readonly reason: keyof typeof fields
  readonly message: string
}> {
  check?: ErrorCheck | undefined

  get invalidInput(): InvalidInput {
    const error = InvalidInput.at(fields[this.reason], this.message)
    error.check = this.check
    return error
  }
}
