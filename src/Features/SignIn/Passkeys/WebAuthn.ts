import { Context, Data, Duration, Effect, Layer } from "effect"
import { isIP } from "node:net"
import type { Member } from "../../../Domain/Member.ts"
import {
  type AuthenticationOptions,
  type AuthenticationResponse,
  challengeLifetime,
  type RegistrationOptions,
  type RegistrationResponse
} from "../../../Domain/SignIn/Passkey.ts"
import { ownDashboardUrl } from "../../../Settings.ts"

export interface Credential {
  readonly id: string
  readonly publicKey: Uint8Array
  readonly counter: number
}

export class WebAuthnRefused extends Data.TaggedError("WebAuthnRefused")<{ readonly message: string }> {}

export class WebAuthn extends Context.Service<WebAuthn, {
  /** Browsers allow passkeys on `localhost` and on https names, never on IP addresses. */
  readonly isAvailable: boolean
  readonly registration: (
    member: Pick<Member, "id" | "email" | "name">,
    existing: ReadonlyArray<string>
  ) => Effect.Effect<RegistrationOptions>
  readonly register: (response: RegistrationResponse, challenge: string) => Effect.Effect<Credential, WebAuthnRefused>
  readonly authentication: Effect.Effect<AuthenticationOptions>
  /** Returns the new counter, which has grown unless the authenticator does not count. */
  readonly authenticate: (
    response: AuthenticationResponse,
    challenge: string,
    credential: Credential
  ) => Effect.Effect<number, WebAuthnRefused>
}>()("openaccounts/Features/SignIn/Passkeys/WebAuthn") {
  static readonly layer = Layer.effect(
    WebAuthn,
    Effect.gen(function*() {
      const { hostname, origin, protocol } = new URL(yield* ownDashboardUrl)
      const timeout = Duration.toMillis(challengeLifetime)
      const expected = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true }
      const library = yield* Effect.cached(Effect.promise(load))

      return WebAuthn.of({
        isAvailable: isIP(hostname.replace(/^\[|\]$/g, "")) === 0 &&
          (protocol === "https:" || hostname === "localhost"),

        registration: Effect.fnUntraced(function*({ email, id, name }, existing) {
          const { generateRegistrationOptions } = yield* library
          const { challenge, pubKeyCredParams } = yield* Effect.promise(() =>
            generateRegistrationOptions({
              rpID: hostname,
              rpName: "OpenAccounts",
              userName: email,
              supportedAlgorithmIDs: algorithms
            })
          )
          return {
            rp: { id: hostname, name: "OpenAccounts" },
            user: { id: userHandle(id), name: email, displayName: name ?? email },
            challenge,
            pubKeyCredParams,
            timeout,
            excludeCredentials: existing.map((id) => ({ id, type: "public-key" as const })),
            authenticatorSelection: {
              residentKey: "required",
              requireResidentKey: true,
              userVerification: "required"
            },
            attestation: "none"
          }
        }),

        register: Effect.fnUntraced(function*(response, challenge) {
          const { verifyRegistrationResponse } = yield* library
          const { registrationInfo } = yield* attempt(() =>
            verifyRegistrationResponse({
              response: { ...response, clientExtensionResults: {} },
              expectedChallenge: challenge,
              supportedAlgorithmIDs: algorithms,
              ...expected
            })
          )
          if (registrationInfo === undefined) return yield* new WebAuthnRefused({ message: "The signature is wrong" })
          const { counter, id, publicKey } = registrationInfo.credential
          return { id, publicKey, counter }
        }),

        authentication: Effect.gen(function*() {
          const { generateAuthenticationOptions } = yield* library
          const { challenge } = yield* Effect.promise(() => generateAuthenticationOptions({ rpID: hostname }))
          return { challenge, rpId: hostname, timeout, userVerification: "required" as const, allowCredentials: [] }
        }),

        authenticate: Effect.fnUntraced(function*(response, challenge, { counter, id, publicKey }) {
          const { verifyAuthenticationResponse } = yield* library
          const { authenticationInfo, verified } = yield* attempt(() =>
            verifyAuthenticationResponse({
              response: { ...response, clientExtensionResults: {} },
              expectedChallenge: challenge,
              credential: { id, counter, publicKey: Uint8Array.from(publicKey) },
              ...expected
            })
          )
          if (!verified) return yield* new WebAuthnRefused({ message: "The signature is wrong" })
          return authenticationInfo.newCounter
        })
      })
    })
  )
}

const algorithms = [-8, -7, -257]

export const userHandle = (memberId: string): string => Buffer.from(memberId).toString("base64url")

const load = async () => {
  const library = await import("@simplewebauthn/server")
  // Attestation is not requested. With root certificates, the library would fetch URLs from a client's certificate.
  for (const identifier of ["apple", "android-key", "android-safetynet", "mds"] as const) {
    library.SettingsService.setRootCertificates({ identifier, certificates: [] })
  }
  return library
}

const attempt = <A>(verify: () => Promise<A>) =>
  Effect.tryPromise({
    try: verify,
    catch: (error) => new WebAuthnRefused({ message: error instanceof Error ? error.message : String(error) })
  })
