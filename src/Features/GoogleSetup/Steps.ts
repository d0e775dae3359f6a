import type { Provider } from "../../Providers/Provider.ts"
import { servicesOf } from "./Advice.ts"
import type { GoogleCheck } from "./Contract.ts"

export interface SetupStep {
  readonly title: string
  readonly done: boolean
  readonly text: ReadonlyArray<string>
}

/** What an operator does at Google, in order. Steps that no check can see count as done once the client is accepted. */
export const setupSteps = (
  checks: ReadonlyArray<GoogleCheck>,
  all: ReadonlyArray<Provider>
): ReadonlyArray<SetupStep> => {
  const providers = all.filter(({ identity }) => identity?.id === "google")
  const find = (id: string) => checks.find((check) => check.id === id)
  const isOk = (id: string) => find(id)?.status === "ok"
  const query = /[?&](project=\d+)/.exec(find("client_id")?.url ?? "")?.[1]
  const page = (path: string) =>
    `https://console.cloud.google.com${path}${query === undefined ? "" : `${path.includes("?") ? "&" : "?"}${query}`}`
  const apis = checks.filter(({ id }) => id.startsWith("api_enabled."))
  const hasClient = isOk("client_id")
  const redirect = find("redirect_uri")
  return [
    {
      title: "Create a project",
      done: hasClient,
      text: [page("/projectcreate"), "Any name will do. Choose the project again if it exists."]
    },
    {
      title: "Enable the APIs",
      done: apis.some(({ status }) => status === "ok") && apis.every(({ status }) => status !== "wrong"),
      text: [
        page(`/apis/enableflow?apiid=${providers.flatMap(servicesOf).join(",")}`),
        `Leave out those of providers that you do not want: ${providers.map(({ id }) => id).join(", ")}.`
      ]
    },
    {
      title: "Say who may sign in",
      done: hasClient,
      text: [
        page("/auth/branding"),
        "Enter a name and your address. Leave the app domain empty.",
        page("/auth/audience"),
        "Choose Internal if your Google Workspace has all the accounts. Else choose External and press Publish app:",
        "in Testing, only test users may sign in, and Google ends each connection after 7 days."
      ]
    },
    {
      title: "List the scopes",
      done: hasClient,
      text: [page("/auth/scopes"), ...new Set(providers.flatMap(({ scopes }) => [...scopes.read, ...scopes.write]))]
    },
    {
      title: "Create the client",
      done: hasClient && isOk("client_secret") && redirect?.status !== "wrong",
      text: [
        page("/auth/clients/create"),
        "Choose the type Web application.",
        redirect?.fix ?? redirect?.found ?? "",
        "Download its JSON file, set GOOGLE_CLIENT_FILE to the path of the file, and start the service again."
      ]
    },
    {
      title: "Connect the first account",
      done: isOk("scopes_granted"),
      text: [
        "Use Connect in the dashboard (`oa open`), or `oa connection connect gsc --label NAME`.",
        "If Google says that it has not verified the app, choose Advanced, then Go to the app.",
        "If Google refuses on its own page, nothing comes back here. Its codes: redirect_uri_mismatch (step 5),",
        "access_denied and org_internal (step 3), admin_policy_enforced (ask the administrator of the Workspace)."
      ]
    }
  ]
}
