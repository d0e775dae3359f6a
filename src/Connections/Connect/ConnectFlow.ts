import { type Array as Arr, Context, Effect, Layer, Redacted, Schema } from "effect"
import { hash, randomBytes } from "node:crypto"
import { Forbidden, InvalidInput } from "../../Api/Errors.ts"
import type { ErrorCheck } from "../../Api/Errors/ErrorCheck.ts"
import { CredentialsRejected, type ProviderError } from "../../Api/Errors/ProviderErrors.ts"
import { makeMayConnect } from "../../Auth/ConnectRights.ts"
import type { Connection } from "../../Domain/Connection.ts"
import type { ClientId, ConnectionId } from "../../Domain/Ids.ts"
import { CurrentActor } from "../../Domain/Request/Actor.ts"
import { identityOf } from "../../Providers/IdentityProvider.ts"
import { OAuth } from "../../Providers/OAuth/OAuth.ts"
import type { Provider } from "../../Providers/Provider.ts"
import { ownBaseUrl } from "../../Settings.ts"
import { ConnectionRepo } from "../ConnectionRepo.ts"
import { type Reconnection, serializeTokens } from "../Credentials.ts"
import { makeAuditedCredentials } from "./AuditedCredentials.ts"
import { ConnectRefused } from "./ConnectRefused.ts"
import { makeSignIns, type SignIn, type Visitor } from "./SignIns.ts"

export interface ConnectStart {
  readonly connectionId: ConnectionId | null
  readonly provider: Provider
  readonly clientId: ClientId | null
  readonly label: string
  readonly scopes: ReadonlyArray<string>
  readonly visit?: NewVisit
}

export interface NewVisit extends Visitor {
  /** The token of the visitor's link. */
  readonly token: Redacted.Redacted
  readonly opener: string | null
  /** The providers beside `provider` that the same sign-in covers. */
  readonly furtherProviders: ReadonlyArray<string>
}

export interface ConnectCallback {
  readonly state: string
  readonly code: Redacted.Redacted | undefined
  readonly error: string | undefined
  readonly browser: Redacted.Redacted | undefined
  readonly find: (id: string) => Effect.Effect<Provider>
}

export interface Granted extends Required<Reconnection> {
  readonly authType: "oauth"
}

/** A visitor's sign-in that came back from the provider. `granted` fetches the tokens once and stores nothing. */
export interface VisitorSignIn extends Visitor {
  readonly token: Redacted.Redacted
  readonly opener: string | null
  readonly providers: Arr.NonEmptyReadonlyArray<Provider>
  readonly scopes: ReadonlyArray<string>
  readonly granted: Effect.Effect<Granted, ConnectRefused | InvalidInput | ProviderError>
}

export type FinishedSignIn =
  | { readonly _tag: "Connected"; readonly connection: Connection }
  | { readonly _tag: "OfVisitor"; readonly signIn: VisitorSignIn }

export interface SignInWatcher {
  /** `code` is the identity provider's, if the sign-in came back with one. Returns what is wrong with the set-up. */
  readonly refused: (
    provider: Provider,
    error: ConnectRefused | InvalidInput | ProviderError,
    code: string | undefined
  ) => Effect.Effect<ErrorCheck | undefined>
  readonly granted: (provider: Provider) => Effect.Effect<void>
}

/** Sign-ins at a provider, of members and of visitors. */
export class ConnectFlow extends Context.Service<ConnectFlow, {
  readonly start: (start: ConnectStart) => Effect.Effect<string, InvalidInput>
  /** A visitor's sign-in can finish only in the browser that began it. */
  readonly finish: (
    callback: ConnectCallback
  ) => Effect.Effect<
    FinishedSignIn,
    ConnectRefused | Forbidden | InvalidInput | ProviderError
  >
  /** Ends the sign-ins under way that would reconnect one of the connections. */
  readonly abandon: (connectionIds: ReadonlyArray<ConnectionId>) => Effect.Effect<void>
  readonly watch: (watcher: SignInWatcher) => Effect.Effect<void>
  /** Adds to the error what is wrong with the set-up. */
  readonly explain: (provider: Provider, error: ConnectRefused) => Effect.Effect<ConnectRefused>
}>()("openaccounts/Connections/Connect/ConnectFlow") {
  static readonly layer = Layer.effect(
    ConnectFlow,
    Effect.gen(function*() {
      const signIns = yield* makeSignIns
      const oauth = yield* OAuth
      const connections = yield* ConnectionRepo
      const credentials = yield* makeAuditedCredentials
      const mayConnect = yield* makeMayConnect
      const redirectUri = `${yield* ownBaseUrl}/connect/callback`

      const watchers: Array<SignInWatcher> = []

      const checked = Effect.fnUntraced(function*<E extends ConnectRefused | InvalidInput | ProviderError>(
        provider: Provider,
        error: E,
        code?: string
      ): Effect.fn.Return<E> {
        const found = yield* Effect.forEach(watchers, ({ refused }) => refused(provider, error, code))
        error.check = found.find((check) => check !== undefined)
        return error
      })

      const ask = Effect.fnUntraced(
        function*(
          { code, error }: ConnectCallback,
          { codeVerifier, provider, scopes }: {
            readonly codeVerifier: Redacted.Redacted
            readonly provider: Provider
            readonly scopes: ReadonlyArray<string>
          }
        ): Effect.fn.Return<Granted, ConnectRefused | InvalidInput | ProviderError> {
          if (error !== undefined) return yield* notGranted(error)
          if (code === undefined) return yield* InvalidInput.at("code", "The provider sent no code")
          const identity = yield* identityOf(provider)
          const tokens = yield* oauth.exchangeCode({ identity, code, redirectUri, codeVerifier }).pipe(
            Effect.catchTag("OAuthNotConfigured", (missing) => Effect.fail(notConfigured(missing)))
          )
          if (tokens.refreshToken === undefined) {
            return yield* new CredentialsRejected({
              message: "The provider sent no refresh token; remove this application's access at the provider and retry."
            })
          }
          const account = yield* Effect.catch(
            oauth.account(identity, tokens.accessToken),
            (error) =>
              Effect.as(Effect.logWarning("Could not read the account name of a new connection", error), undefined)
          )
          return {
            authType: "oauth",
            credentials: serializeTokens(tokens, { refresh_token: tokens.refreshToken }),
            externalAccount: account?.email ?? null,
            signedInAs: account?.isVerified === true ? account.email : null,
            scopes: tokens.scopes ?? scopes,
            askedScopes: scopes
          }
        }
      )

      const grant: typeof ask = (callback, signIn) =>
        ask(callback, signIn).pipe(
          Effect.catch((error) => Effect.flip(checked(signIn.provider, error, callback.error))),
          Effect.tap(() => Effect.forEach(watchers, ({ granted }) => granted(signIn.provider), { discard: true }))
        )

      const finishVisit = Effect.fnUntraced(
        function*(callback: ConnectCallback, signIn: SignIn, visitor: Visitor): Effect.fn.Return<VisitorSignIn> {
          const { furtherProviders, opener, provider: id, scopes } = signIn
          const { codeVerifier, token } = yield* Effect.orDie(Effect.flatMap(signIns.secretOf(signIn), decodeVisit))
          const provider = yield* callback.find(id)
          const others = yield* Effect.forEach(furtherProviders, callback.find)
          const granted = grant(callback, { codeVerifier, provider, scopes })
          return { ...visitor, token, opener, scopes, providers: [provider, ...others], granted }
        }
      )

      /** Returns the status of the connection that is reconnected. */
      const requireRights = Effect.fnUntraced(function*({ actor, clientId, connectionId }: SignIn) {
        if (!(yield* mayConnect(actor, clientId))) return yield* new Forbidden({ message: rightsLost })
        if (connectionId === null) return undefined
        const connection = yield* Effect.orDie(Effect.flatMap(connections.find(connectionId), Effect.fromOption))
        if (connection.client_id !== clientId) return yield* connectionChanged()
        return connection.status
      })

      const finishOperator = Effect.fnUntraced(function*(callback: ConnectCallback, signIn: SignIn) {
        const { actor, clientId, connectionId, label, scopes } = signIn
        const provider = yield* callback.find(signIn.provider)
        const codeVerifier = yield* signIns.secretOf(signIn)
        const statusBefore = yield* requireRights(signIn)
        const granted = yield* grant(callback, { codeVerifier, provider, scopes })
        const requireSame = Effect.filterOrFail(
          requireRights(signIn),
          (status) => status === statusBefore || status !== "revoked",
          connectionChanged
        )
        const change = connectionId === null
          ? credentials.created(
            Effect.andThen(requireSame, connections.create({ ...granted, provider: provider.id, clientId, label }))
          )
          : credentials.replaced(
            Effect.andThen(requireSame, connections.reconnect(connectionId, granted))
          ).pipe(Effect.flatMap(Effect.fromOption), Effect.catchTag("NoSuchElementError", Effect.die))
        return yield* Effect.provideService(change, CurrentActor, actor)
      })

      return ConnectFlow.of({
        start: Effect.fn("ConnectFlow.start")(function*({ clientId, connectionId, label, provider, scopes, visit }) {
          const state = randomBytes(32).toString("base64url")
          const codeVerifier = Redacted.make(randomBytes(32).toString("base64url"))
          const identity = yield* Effect.mapError(identityOf(provider), notConfigured)
          const url = yield* oauth.authorizeUrl({
            identity,
            scopes,
            redirectUri,
            state,
            codeChallenge: sha256(Redacted.value(codeVerifier)).toString("base64url")
          }).pipe(Effect.catch((missing) => Effect.flip(checked(provider, notConfigured(missing)))))
          yield* signIns.begin({
            state,
            connectionId,
            clientId,
            providers: [provider.id, ...visit?.furtherProviders ?? []],
            label,
            scopes,
            secret: visit === undefined ? codeVerifier : encodeVisit({ codeVerifier, token: visit.token }),
            visit
          })
          return url
        }),

        explain: checked,

        watch: (watcher) => Effect.sync(() => void watchers.push(watcher)),

        abandon: Effect.fn("ConnectFlow.abandon")(signIns.abandon),

        finish: Effect.fn("ConnectFlow.finish")(function*(callback) {
          const { browser, state } = callback
          const signIn = yield* signIns.redeem(state, browser)
          if (signIn === undefined) return yield* new ConnectRefused({ reason: "sign_in_over", message: signInOver })
          const { linkId } = signIn
          return linkId === null || browser === undefined
            ? { _tag: "Connected", connection: yield* finishOperator(callback, signIn) }
            : { _tag: "OfVisitor", signIn: yield* finishVisit(callback, signIn, { linkId, browser }) }
        })
      })
    })
  )
}

/** The table of links has only a hash of the token, so the sign-in keeps the token. */
const VisitSecrets = Schema.fromJsonString(Schema.Struct({
  codeVerifier: Schema.RedactedFromValue(Schema.String),
  token: Schema.RedactedFromValue(Schema.String)
}))
const encodeVisit = (secrets: typeof VisitSecrets.Type) => Redacted.make(Schema.encodeSync(VisitSecrets)(secrets))
const decodeVisit = (text: Redacted.Redacted) => Schema.decodeEffect(VisitSecrets)(Redacted.value(text))

const signInOver = "This sign-in is unknown, was used before, took longer than 10 minutes, or began in another browser"

const rightsLost =
  "The client was deleted, or the member who began this sign-in may no longer connect accounts here. Nothing was connected."

const changed = "The connection was revoked or got another client after this sign-in began. Nothing was connected."

const connectionChanged = () =>
  new InvalidInput({ message: changed, details: [{ path: ["connection_id"], message: changed }] })

const sha256 = (text: string): Buffer => hash("sha256", text, "buffer")

const notGranted = (error: string) =>
  new ConnectRefused({
    reason: error === "access_denied" ? "denied" : "provider_error",
    message: `Access was not granted: ${error.slice(0, 200)}`
  })

const notConfigured = ({ message }: { readonly message: string }) => InvalidInput.at("provider", message)
