import { paths } from "./AuthorizationGroup.ts"
import { type AuthorizationUrls, scopes } from "./AuthorizationUrls.ts"

/** RFC 8414. The library's own document also lists OpenID keys and algorithms, which this server does not offer. */
export const serverMetadata = ({ issuer }: AuthorizationUrls) => ({
  issuer,
  authorization_endpoint: `${issuer}${paths.authorize}`,
  token_endpoint: `${issuer}${paths.token}`,
  registration_endpoint: `${issuer}${paths.register}`,
  revocation_endpoint: `${issuer}${paths.revoke}`,
  scopes_supported: scopes,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true
})

/** RFC 9728. */
export const resourceMetadata = ({ issuer, resource }: AuthorizationUrls) => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: scopes,
  bearer_methods_supported: ["header"],
  resource_name: "OpenAccounts"
})
