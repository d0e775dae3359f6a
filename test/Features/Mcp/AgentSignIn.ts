import type { OAuthClientInformationMixed, OAuthClientProvider, OAuthTokens } from "@modelcontextprotocol/client"
import { redirectUri } from "../AgentAccess/Fixture.ts"

export class AgentSignIn implements OAuthClientProvider {
  readonly redirectUrl = redirectUri
  readonly clientMetadata = { client_name: "Official client", redirect_uris: [redirectUri] }
  readonly clientMetadataUrl?: string
  client: OAuthClientInformationMixed | undefined
  kept: OAuthTokens | undefined
  asked: URL | undefined
  #verifier = ""

  constructor(clientMetadataUrl?: string) {
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl
  }

  readonly clientInformation = () => this.client
  readonly saveClientInformation = (client: OAuthClientInformationMixed) => void (this.client = client)
  readonly tokens = () => this.kept
  readonly saveTokens = (tokens: OAuthTokens) => void (this.kept = tokens)
  readonly invalidateCredentials = () => void (this.kept = undefined)
  readonly redirectToAuthorization = (url: URL) => void (this.asked = url)
  readonly saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier)
  readonly codeVerifier = () => this.#verifier
}
