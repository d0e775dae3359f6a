import { Context, Effect, Layer } from "effect"
import { type Origin, Origins } from "../../src/Providers/Origins.ts"
import { originsOf, type RawEndpoint } from "../../src/Providers/Provider.ts"
import { providers } from "../../src/Registrations.ts"
import { type Handler, LoopbackUpstream, type Recorded } from "../support/LoopbackUpstream.ts"
import { TestDataDir, TestServer } from "../support/TestServer.ts"

export interface Arrival extends Recorded {
  readonly at: string
}

export class Outside extends Context.Service<Outside, {
  readonly foreign: LoopbackUpstream["Service"]
  readonly url: (origin: Origin) => string
  readonly arrivals: () => ReadonlyArray<Arrival>
  readonly handle: (handler: Handler, tokens?: Handler) => void
}>()("openaccounts/test/Outside") {
  static readonly layer = Layer.effect(
    Outside,
    Effect.gen(function*() {
      const foreign = yield* LoopbackUpstream.make
      const listeners = yield* Effect.forEach(
        originsOf(providers),
        (origin) => Effect.map(LoopbackUpstream.make, (listener) => ({ origin, listener }))
      )
      const urls = new Map(listeners.map(({ listener, origin }) => [origin.id, `${listener.url}${pathOf(origin)}`]))
      return Outside.of({
        foreign,
        url: ({ id }) => urls.get(id) ?? foreign.url,
        arrivals: () =>
          listeners.flatMap(({ listener, origin }) =>
            listener.requests.map((request) => ({ ...request, at: origin.id }))
          ),
        handle: (handler, tokens = grantToken) => {
          for (const { listener, origin } of listeners) {
            listener.handle(origin.id.endsWith("Token") ? tokens : handler)
          }
          foreign.handle(() => ({ body: { access_token: "ya29.foreign-0123456789", expires_in: 3600 } }))
        }
      })
    })
  )

  static readonly originsLayer = Layer.effect(Origins, Effect.map(Outside, ({ url }) => url))
}

const grantToken: Handler = () => ({ body: { access_token: "ya29.granted-0123456789", expires_in: 3600 } })

const pathOf = (origin: Origin) => new URL(origin.url).pathname.replace(/\/$/, "")

export const baseUrl = "https://accounts.example.com"

export const EgressServer = TestServer.on(
  { origins: Outside.originsLayer.pipe(Layer.provideMerge(Outside.layer)) },
  { BASE_URL: baseUrl }
).pipe(Layer.provideMerge(TestDataDir.layer))

const isOfTemplate = (path: string, { path: template }: RawEndpoint): boolean => {
  const form = template.split("/").map((segment) =>
    segment.split(/\{\w+\}/).map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(
      "(?:[\\w.~-]|%[0-9A-F]{2})+"
    )
  ).join("/")
  return new RegExp(`^${form}$`).test(path) && !path.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))
}

export const endpointOf = (arrival: Arrival, endpoints: ReadonlyArray<RawEndpoint>): RawEndpoint | undefined => {
  const [path = ""] = arrival.url.split("?")
  return endpoints.find((endpoint) =>
    endpoint.origin.id === arrival.at && endpoint.method === arrival.method && isOfTemplate(path, endpoint)
  )
}

export const queryNames = (
  { url }: Recorded
): ReadonlyArray<string> => [...new URL(url, "http://localhost").searchParams.keys()]
