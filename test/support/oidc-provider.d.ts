declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"

  /** The part of the library that the tests use. */
  export class Provider {
    constructor(issuer: string, configuration: object)
    readonly Grant: new(of: { readonly accountId: string; readonly clientId: string }) => {
      addOIDCScope(scope: string): void
      save(): Promise<string>
    }
    callback(): RequestListener
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}
