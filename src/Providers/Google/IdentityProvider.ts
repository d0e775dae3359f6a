import type { IdentityProvider } from "../IdentityProvider.ts"

export const google: IdentityProvider = {
  id: "google",
  name: "Google",
  application: { clientId: "GOOGLE_CLIENT_ID", clientSecret: "GOOGLE_CLIENT_SECRET" },
  authorize: {
    id: "googleAuth",
    setting: "GOOGLE_AUTH_URL",
    url: "https://accounts.google.com/o/oauth2/v2/auth"
  },
  token: { id: "googleToken", setting: "GOOGLE_TOKEN_URL", url: "https://oauth2.googleapis.com/token" },
  revoke: { id: "googleRevoke", setting: "GOOGLE_REVOKE_URL", url: "https://oauth2.googleapis.com/revoke" },
  userinfo: {
    id: "googleUserinfo",
    setting: "GOOGLE_USERINFO_URL",
    url: "https://openidconnect.googleapis.com/v1/userinfo"
  },
  pkce: true,
  sharesTokens: true,
  extraScopes: ["openid", "email"],
  // Google returns a refresh token on repeated consent only with both.
  parameters: { access_type: "offline", prompt: "consent" }
}
