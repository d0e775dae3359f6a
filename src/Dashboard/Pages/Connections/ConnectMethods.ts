import type { AuthType } from "../../../Domain/Connection.ts"
import { hasConnectLinks } from "../../Service/ServedPage.ts"

export type ConnectMethod = "sign_in" | AuthType | "link"

const words: Readonly<Record<ConnectMethod, { readonly title: string; readonly help: string }>> = {
  sign_in: { title: "Sign in", help: "The account's owner grants access on the provider's own page." },
  oauth: { title: "Refresh token", help: "From an earlier sign-in with the same OAuth application." },
  service_account: {
    title: "Service account",
    help: "A Google account for programs. Its key file is stored encrypted."
  },
  api_key: { title: "API key", help: "A key that the provider shows to the account's owner." },
  link: {
    title: "Connect link",
    help: "Someone else owns the account: its owner connects it on a page of this service, without an account here."
  }
}

export const connectMethodsOf = (authTypes: ReadonlyArray<AuthType>) =>
  [
    ...authTypes.flatMap((type): ReadonlyArray<ConnectMethod> => type === "oauth" ? ["sign_in", type] : [type]),
    ...hasConnectLinks ? ["link" as const] : []
  ]
    .map((value) => ({ value, ...words[value] }))
