import { Context, Effect, Layer } from "effect"
import { createServer } from "node:https"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { listening } from "../../support/Listening.ts"
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
      const port = yield* listening(createServer({ cert, key }, ({ url = "" }, response) => {
        requested.push(url)
        const { body, headers, status = 200 } = documents.get(url) ?? { status: 404, body: "" }
        response.writeHead(status, { "content-type": "application/json", ...headers }).end(body)
      }))
      return AgentSite.of({
        url: `https://localhost:${port}`,
        publish: (path, document) =>
          void (document === undefined ? documents.delete(path) : documents.set(path, document)),
        requests: (path) => requested.filter((url) => url === path).length
      })
    })
  )
}

export const documentOf = (clientId: string, more: object = {}) =>
  JSON.stringify({ client_id: clientId, client_name: "Agent of example", redirect_uris: [redirectUri], ...more })
