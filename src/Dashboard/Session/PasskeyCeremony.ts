import { Effect } from "effect"
import type { Passkey } from "../../Domain/SignIn/Passkey.ts"
import { type Service, ServiceError } from "../Service/Service.ts"
import { passwordOf } from "./Secrets.ts"

const library = Effect.promise(() => import("@simplewebauthn/browser"))

const ask = <A>(ceremony: () => Promise<A>) =>
  Effect.tryPromise({
    try: ceremony,
    catch: (error) => new ServiceError({ code: "passkey", message: wordsFor(error) })
  })

const wordsFor = (error: unknown): string => {
  const name = error instanceof Error ? error.name : ""
  if (name === "NotAllowedError" || name === "AbortError") return "The browser used no passkey. Try again."
  if (name === "InvalidStateError") return "This device has a passkey for your account already."
  return `The browser refused the passkey: ${error instanceof Error ? error.message : "it gave no reason"}`
}

export const signInWithPasskey = ({ passkeySignIn }: Service) =>
  Effect.gen(function*() {
    const { startAuthentication } = yield* library
    const { options } = yield* passkeySignIn.options()
    const response = yield* ask(() => startAuthentication({ optionsJSON: options }))
    return yield* passkeySignIn.signIn({ payload: { response } })
  })

export const addPasskey = (
  { passkeys }: Service,
  { current_password, name }: { readonly name: string; readonly current_password: string }
) =>
  Effect.gen(function*(): Effect.fn.Return<Passkey, unknown> {
    const { startRegistration } = yield* library
    const { options } = yield* passkeys.options({
      payload: current_password === "" ? {} : { current_password: passwordOf(current_password) }
    })
    const response = yield* ask(() => startRegistration({ optionsJSON: options }))
    return yield* passkeys.add({ payload: { name, response } })
  })
