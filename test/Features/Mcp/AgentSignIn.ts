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

  clientInformation() {
    return this.client
  }

  saveClientInformation(client: OAuthClientInformationMixed) {
    this.client = client
  }

  tokens() {
    return this.kept
  }

  saveTokens(tokens: OAuthTokens) {
    this.kept = tokens
  }

  invalidateCredentials() {
    this.kept = undefined
  }

  redirectToAuthorization(url: URL) {
    this.asked = url
  }

  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }

  codeVerifier() {
    return this.#verifier
  }
}
