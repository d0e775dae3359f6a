import { assert, describe, it, layer } from "@effect/vitest"
import { ConfigProvider, Deferred, Duration, Effect, Exit, Fiber, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { NetAddress } from "effect/net"
import { TestClock } from "effect/testing"
import { MemberId } from "../../../src/Domain/Ids.ts"
import { OidcProvider } from "../../../src/Features/SignIn/Oidc/OidcProvider.ts"
import { PasswordTurns } from "../../../src/Features/SignIn/Passwords/PasswordTurns.ts"
import { type Handler, LoopbackUpstream } from "../../support/LoopbackUpstream.ts"

const ada = MemberId.make(`mem_${"0".repeat(26)}`)
const hashing = Effect.as(Effect.sleep("50 millis"), "hashed")

const waits = Effect.fnUntraced(function*(strangers: ReadonlyArray<string>) {
  const turns = yield* PasswordTurns
  yield* Effect.forEach(strangers, (address) => Effect.forkChild(turns.ofStranger(address)(hashing)))
  yield* Effect.yieldNow
  return turns
})

/** The milliseconds that an attempt takes, in steps of 50. */
const timeOf = Effect.fnUntraced(function*<A, E>(attempt: Effect.Effect<A, E>) {
  const fiber = yield* Effect.forkChild(Effect.timed(attempt))
  yield* Effect.yieldNow
  while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust("50 millis")
  const [elapsed] = yield* Fiber.join(fiber)
  return Duration.toMillis(elapsed)
})

const addresses = Array.from({ length: 120 }, (_, at) => `198.51.100.${at}`)

describe("Turns at passwords", () => {
  it.effect("are kept for members at known addresses while 120 other addresses send guesses", () =>
    Effect.gen(function*() {
      const turns = yield* waits([...addresses, ...addresses, ...addresses])
      assert.isAtMost(yield* timeOf(turns.ofMember(ada)(hashing)), 100)
    }).pipe(Effect.provide(PasswordTurns.layer)))

  it.effect("are fair between addresses, and an IPv6 /48 has those of one address", () =>
    Effect.gen(function*() {
      const network = Array.from({ length: 10 }, (_, at) => `2001:db8:1:${at}::1`)
      const turns = yield* waits(network)
      assert.isAtMost(yield* timeOf(turns.ofStranger("192.0.2.1")(hashing)), 150)
    }).pipe(Effect.provide(PasswordTurns.layer)))

  it.effect("end with 429 after ten seconds, or immediately for an address with ten waiting", () =>
    Effect.gen(function*() {
      const turns = yield* PasswordTurns
      const attempt = turns.ofStranger("192.0.2.1")(Effect.never)
      yield* Effect.forEach(Array.from({ length: 2 }), () => Effect.forkChild(attempt))
      const waiting = yield* Effect.forEach(Array.from({ length: 9 }), () => Effect.forkChild(attempt))
      yield* Effect.yieldNow
      assert.strictEqual((yield* Effect.flip(attempt))._tag, "RateLimited")
      yield* TestClock.adjust("10 seconds")
      for (const exit of yield* Effect.forEach(waiting, (fiber) => Fiber.await(fiber))) {
        assert.isTrue(Exit.isFailure(exit))
      }
    }).pipe(Effect.provide(PasswordTurns.layer)))
})

const Listener = Layer.succeed(
  HttpServer.HttpServer,
  HttpServer.make({ serve: () => Effect.void, address: NetAddress.unixPathAddress("/dev/null") })
)

const Issuer = Layer.fresh(LoopbackUpstream.layer)

const proofs = { state: "state", nonce: "nonce", codeVerifier: Redacted.make("v".repeat(43)) }

const maxBytes = 64 * 1024

/** A new provider, whose documents are not cached, at the issuer. */
const newProvider = Effect.gen(function*() {
  const { url } = yield* LoopbackUpstream
  const settings = { OIDC_ISSUER: url, OIDC_CLIENT_ID: "client", OIDC_CLIENT_SECRET: "secret" }
  const { provider } = yield* OidcProvider.pipe(
    Effect.provide(Layer.fresh(OidcProvider.layer)),
    Effect.provide([Listener, ConfigProvider.layer(ConfigProvider.fromUnknown(settings))])
  )
  return Option.getOrThrow(provider)
})

/** The discovery document, and after it the answer of the token endpoint, each padded to this many bytes. */
const issuer = (url: string, sizes: { readonly document?: number; readonly tokens?: number }): Handler => (request) => {
  const isDocument = request.method === "GET"
  const body = isDocument
    ? {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/keys`
    }
    : { error: "invalid_grant" }
  const text = JSON.stringify(body)
  const size = (isDocument ? sizes.document : sizes.tokens) ?? text.length
  return { status: isDocument ? 200 : 400, headers: { "content-type": "application/json" }, body: text.padEnd(size) }
}

layer(Issuer)("The OpenID provider", (it) => {
  it.effect("is unreachable where it answers with more than 64 KiB", () =>
    Effect.gen(function*() {
      const { handle, url } = yield* LoopbackUpstream
      handle(issuer(url, { document: maxBytes + 1 }))
      assert.strictEqual((yield* Effect.flip((yield* newProvider).authorizeUrl(proofs)))._tag, "UpstreamUnreachable")
      const finish = Effect.flatMap(newProvider, ({ account }) => Effect.flip(account("?code=x&state=state", proofs)))
      handle(issuer(url, { document: maxBytes, tokens: maxBytes }))
      assert.strictEqual((yield* finish)._tag, "OidcRefused")
      handle(issuer(url, { document: maxBytes, tokens: maxBytes + 1 }))
      assert.strictEqual((yield* finish)._tag, "UpstreamUnreachable")
    }))

  it.effect.each(["answers nothing", "does not end its answer"])(
    "is unreachable where it %s for 10 seconds",
    (how) =>
      Effect.gen(function*() {
        const { handle } = yield* LoopbackUpstream
        const arrived = yield* Deferred.make<void>()
        const closed = yield* Deferred.make<void>()
        handle(() => (response) => {
          response.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
          if (how === "does not end its answer") response.write("{")
          Deferred.doneUnsafe(arrived, Effect.void)
        })
        const started = yield* Effect.forkChild(Effect.flip((yield* newProvider).authorizeUrl(proofs)))
        yield* Deferred.await(arrived)
        yield* TestClock.adjust("9999 millis")
        assert.isUndefined(started.pollUnsafe())
        yield* TestClock.adjust("1 millis")
        assert.strictEqual((yield* Fiber.join(started))._tag, "UpstreamUnreachable")
        yield* Deferred.await(closed)
      })
  )
})
