import { Context, Data, Effect, FileSystem, Layer, Option, Redacted, Result } from "effect"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import { OAuth } from "../../Providers/OAuth/OAuth.ts"
import { authTypesOf, type Provider } from "../../Providers/Provider.ts"
import { serviceAccountFile } from "../../Settings.ts"
import { type Credentials, parseNewCredentials } from "../Credentials.ts"

export interface ServiceAccount {
  readonly email: string
  readonly credentials: Credentials
  readonly text: Redacted.Redacted
}

export interface Methods {
  readonly oauth: boolean
  readonly apiKey: boolean
  readonly serviceAccount: Option.Option<ServiceAccount>
}

export class ServiceAccountFileInvalid
  extends Data.TaggedError("ServiceAccountFileInvalid")<{ readonly message: string }>
{}

export class ConnectMethods extends Context.Service<ConnectMethods, {
  readonly of: (provider: Provider) => Methods
  readonly missingSetting: (provider: Provider) => Option.Option<string>
}>()("openaccounts/Connections/Connect/ConnectMethods") {
  static readonly layer = Layer.effect(
    ConnectMethods,
    Effect.gen(function*() {
      const catalog = yield* Catalog
      const oauth = yield* OAuth
      const serviceAccount = yield* readServiceAccount

      const methodsOf = Effect.fnUntraced(function*(provider: Provider) {
        const types = authTypesOf(provider)
        const missingSetting = yield* provider.identity === undefined
          ? Effect.succeedSome("The provider has no sign-in")
          : Effect.match(oauth.requireApplication(provider.identity), {
            onFailure: ({ message }) => Option.some(message),
            onSuccess: () => Option.none<string>()
          })
        const methods: Methods = {
          oauth: types.includes("oauth") && Option.isNone(missingSetting),
          apiKey: types.includes("api_key"),
          serviceAccount: types.includes("service_account") ? serviceAccount : Option.none()
        }
        const isConnectable = methods.oauth || methods.apiKey || Option.isSome(methods.serviceAccount)
        return { methods, missingSetting: isConnectable ? Option.none() : missingSetting }
      })

      const found = new Map<string, Effect.Success<ReturnType<typeof methodsOf>>>()
      for (const provider of catalog.providers) found.set(provider.id, yield* methodsOf(provider))

      return ConnectMethods.of({
        of: ({ id }) => found.get(id)?.methods ?? noMethods,
        missingSetting: ({ id }) => found.get(id)?.missingSetting ?? Option.some("The provider is unknown")
      })
    })
  )
}

const noMethods: Methods = { oauth: false, apiKey: false, serviceAccount: Option.none() }

export const readServiceAccount = Effect.gen(function*() {
  const file = yield* serviceAccountFile
  if (Option.isNone(file)) return Option.none<ServiceAccount>()
  const fs = yield* FileSystem.FileSystem
  const invalid = (reason: string) =>
    new ServiceAccountFileInvalid({ message: `GOOGLE_SERVICE_ACCOUNT_FILE: ${file.value} ${reason}` })
  const text = yield* Effect.mapError(fs.readFileString(file.value), () => invalid("cannot be read"))
  const json = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => invalid("is not JSON")
  })
  const credentials = yield* Effect.fromResult(Result.mapError(
    parseNewCredentials("service_account", json),
    (issues) =>
      invalid(
        `is not a key file: ${issues.map(({ message, path }) => `${path.slice(1).join(".")}: ${message}`).join("; ")}`
      )
  ))
  return credentials.type === "service_account"
    ? Option.some({ email: credentials.key.client_email, credentials, text: Redacted.make(text) })
    : Option.none<ServiceAccount>()
})
