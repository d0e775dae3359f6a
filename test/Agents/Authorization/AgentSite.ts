import { Context, Effect, Layer } from "effect"
import { createServer, type Server } from "node:https"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { selfSigned } from "../../support/SelfSigned.ts"
import { redirectUri } from "./Fixture.ts"

interface Document {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

export class AgentSite extends Context.Service<AgentSite, {
  readonly url: string
  readonly publish: (path: string, document: Document | undefined) => void
  readonly requests: (path: string) => number
}>()("openaccounts/test/Authorization/AgentSite") {
  static readonly layer = Layer.effect(
    AgentSite,
    Effect.gen(function*() {
      const { cert, key } = selfSigned()
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          const before = getCACertificates()
          setDefaultCACertificates([...before, cert])
          return before
        }),
        (before) => Effect.sync(() => setDefaultCACertificates(before))
      )
      const documents = new Map<string, Document>()
      const requested: Array<string> = []
      const server = yield* Effect.acquireRelease(
        Effect.callback<Server>((resume) => {
          const created = createServer({ cert, key }, ({ url = "" }, response) => {
            requested.push(url)
            const { body, headers, status = 200 } = documents.get(url) ?? { status: 404, body: "" }
            response.writeHead(status, { "content-type": "application/json", ...headers }).end(body)
          })
          created.listen(0, "127.0.0.1", () => resume(Effect.succeed(created)))
        }),
        (server) => Effect.sync(() => server.closeAllConnections() ?? server.close())
      )
      const address = server.address()
      return AgentSite.of({
        url: `https://localhost:${typeof address === "object" ? address?.port : ""}`,
        publish: (path, document) =>
          void (document === undefined ? documents.delete(path) : documents.set(path, document)),
        requests: (path) => requested.filter((url) => url === path).length
      })
    })
  )
}

export const documentOf = (clientId: string, more: object = {}) =>
  JSON.stringify({ client_id: clientId, client_name: "Agent of example", redirect_uris: [redirectUri], ...more })
