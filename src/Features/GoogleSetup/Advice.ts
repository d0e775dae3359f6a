import type { Provider } from "../../Providers/Provider.ts"

/** Checks in the order of causes: each can make those after it fail. */
export const checkIds = (providers: ReadonlyArray<Provider>): ReadonlyArray<string> => [
  "base_url",
  "egress",
  "clock",
  "client_id",
  "client_secret",
  "client_deleted",
  "redirect_uri",
  ...providers.map(({ id }) => `api_enabled.${id}`),
  "consent_testing",
  "consent_user",
  "admin_policy",
  "scopes_granted",
  "service_account_key",
  "service_account_deleted",
  "delegation",
  "resource_shared"
]

export interface Advice {
  readonly fix: string
  readonly url: string | null
}

/** The operator's project at Google. */
export interface Project {
  readonly clientId: string
  readonly redirectUri: string
}

export interface Subject {
  /** An API can be enabled in another project than the client's: in that of the service account. */
  readonly activationUrl?: string | undefined
  readonly provider?: Provider | undefined
  readonly host?: string | undefined
}

export const isClientId = (id: string): boolean => /^\d+-[a-z0-9]+\.apps\.googleusercontent\.com$/.test(id)

/** The digits of a client id are the number of its project. Without it, the console opens the project used last. */
const consolePage = (path: string, { clientId }: Pick<Project, "clientId">): string => {
  const [number] = isClientId(clientId) ? clientId.split("-") : []
  const query = number === undefined ? "" : `${path.includes("?") ? "&" : "?"}project=${number}`
  return `https://console.cloud.google.com${path}${query}`
}

/** The names under which the console enables the APIs of a provider. */
export const servicesOf = ({ endpoints }: Provider): ReadonlyArray<string> => [
  ...new Set(endpoints.map(({ origin }) => new URL(origin.url).host))
]

const enablePage = (providers: ReadonlyArray<Provider>, project: Pick<Project, "clientId">) =>
  consolePage(`/apis/enableflow?apiid=${providers.flatMap(servicesOf).join(",")}`, project)

const sharingPages: Readonly<Record<string, string>> = {
  gsc: "https://search.google.com/search-console/users",
  ga4: "https://analytics.google.com/analytics/web/",
  gsheets: "https://docs.google.com/spreadsheets/",
  gdocs: "https://docs.google.com/document/"
}

/** What to do about a check that is wrong, and where. */
export const adviceFor = (
  id: string,
  project: Project,
  { activationUrl, host = "Google", provider }: Subject = {}
): Advice => {
  const page = (path: string) => consolePage(path, project)
  switch (id) {
    case "base_url":
      return {
        fix: "Set BASE_URL to a public https address with a name, such as https://accounts.example.com. " +
          "Google refuses http except on localhost, IP addresses, and names that end in .local, .lan or .test.",
        url: "https://developers.google.com/identity/protocols/oauth2/web-server#uri-validation"
      }
    case "egress":
      return { fix: `Let the service reach ${host} over https: look at the firewall, the proxy and DNS.`, url: null }
    case "clock":
      return { fix: "Set the clock of this machine, and keep it right with NTP.", url: null }
    case "client_id":
      return {
        fix: "Copy the client ID of a client of the type Web application into GOOGLE_CLIENT_ID, or set " +
          "GOOGLE_CLIENT_FILE to the file that the console downloads. Connections of another client must be connected again.",
        url: page("/auth/clients")
      }
    case "client_secret":
      return {
        fix: "Add a secret to the client, and copy it into GOOGLE_CLIENT_SECRET. The console shows a secret only once.",
        url: page("/auth/clients")
      }
    case "client_deleted":
      return {
        fix: "Restore or enable the client, or create a new one and set its ID and secret.",
        url: page("/apis/credentials/deleted")
      }
    case "redirect_uri":
      return {
        fix: `Add exactly ${project.redirectUri} to the authorized redirect URIs of the client. ` +
          "The change takes from 5 minutes to a few hours.",
        url: page("/auth/clients")
      }
    case "consent_testing":
      return {
        fix: "Publish the app, or make it Internal, and connect the accounts again: " +
          "in Testing, Google ends each connection after 7 days.",
        url: page("/auth/audience")
      }
    case "consent_user":
      return {
        fix: "Add the account to the test users, or publish the app. An Internal app admits only accounts of its " +
          "organization.",
        url: page("/auth/audience")
      }
    case "admin_policy":
      return {
        fix: `Ask the administrator of the account's Google Workspace to trust the client ID ${project.clientId}.`,
        url: "https://admin.google.com/ac/owl/list?tab=configuredApps"
      }
    case "scopes_granted":
      return {
        fix: "Connect the account again, and leave every box of Google's page ticked. " +
          "List the scopes under Data Access.",
        url: page("/auth/scopes")
      }
    case "service_account_key":
      return {
        fix: "Create a new key for the service account, and reconnect with its file.",
        url: page("/iam-admin/serviceaccounts")
      }
    case "service_account_deleted":
      return {
        fix: "Enable or restore the service account, or create another one, and reconnect with its key.",
        url: page("/iam-admin/serviceaccounts")
      }
    case "delegation":
      return {
        fix: "In the Admin console, allow the numeric client ID of the service account exactly the scopes of the " +
          "connection, and name a user of that organization as subject. A change can take 24 hours.",
        url: "https://admin.google.com/ac/owl/domainwidedelegation"
      }
    case "resource_shared":
      return {
        fix: "Share the property or file with the account of the connection.",
        url: sharingPages[provider?.id ?? ""] ?? null
      }
    default: {
      const providers = provider === undefined ? [] : [provider]
      return {
        fix: `Enable ${providers.flatMap(servicesOf).join(" and ")} in the project, and wait a few minutes.`,
        url: activationUrl ?? enablePage(providers, project)
      }
    }
  }
}
