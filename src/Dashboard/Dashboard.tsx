import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { Link, Route, Router, Switch } from "wouter"
import { Frame } from "./Frame/Frame.tsx"
import { lazyPage } from "./Frame/LazyPage.tsx"
import { featureRoutes } from "./Frame/ServedPages.ts"
import { Overview } from "./Pages/Overview/Overview.tsx"
import { Page } from "./Parts/Page.tsx"
import { isUnavailable, ServiceError } from "./Service/Service.ts"
import { SessionGate } from "./Session/SessionGate.tsx"

const ClientPage = lazyPage("/clients/", async () => (await import("./Pages/Clients/ClientPage.tsx")).ClientPage)
const Clients = lazyPage("/clients", async () => (await import("./Pages/Clients/Clients.tsx")).Clients)
const Connect = lazyPage("/connections/connect", async () => (await import("./Pages/Connections/Connect.tsx")).Connect)
const ConnectionPage = lazyPage(
  "/connections/",
  async () => (await import("./Pages/Connections/ConnectionPage.tsx")).ConnectionPage
)
const Connections = lazyPage(
  "/connections",
  async () => (await import("./Pages/Connections/Connections.tsx")).Connections
)
const Keys = lazyPage("/keys", async () => (await import("./Pages/Keys/Keys.tsx")).Keys)
const Logs = lazyPage("/logs", async () => (await import("./Pages/Logs/Logs.tsx")).Logs)
const Members = lazyPage("/members", async () => (await import("./Pages/Members/Members.tsx")).Members)
const Reconnect = lazyPage(
  "/connections/:id/reconnect",
  async () => (await import("./Pages/Connections/Reconnect.tsx")).Reconnect
)
const Playground = lazyPage("/playground", async () => (await import("./Pages/Playground/Playground.tsx")).Playground)
const Settings = lazyPage("/settings", async () => (await import("./Pages/Settings/Settings.tsx")).Settings)

const retry = (failures: number, error: Error) => failures < 3 && error instanceof ServiceError && isUnavailable(error)

// A service on this machine or in a local network also responds without the internet.
const networkMode = "always"

const queries = new QueryClient({
  defaultOptions: { queries: { networkMode, retry, staleTime: 2000 }, mutations: { networkMode } }
})

const NotFound = () => (
  <Page title="There is no such page" about="The address may be old.">
    <Link href="/">Open the overview</Link>
  </Page>
)

export const Dashboard = () => (
  <QueryClientProvider client={queries}>
    <Router base="/dashboard">
      <SessionGate>
        <Frame>
          <Switch>
            {featureRoutes.map(({ page: FeaturePage, path }) => (
              <Route<{ readonly id?: string }> key={path} path={path}>
                {({ id = "" }) => <FeaturePage key={id} id={id} />}
              </Route>
            ))}
            <Route path="/" component={Overview} />
            <Route path="/connections" component={Connections} />
            <Route path="/connections/connect" component={Connect} />
            <Route path="/connections/:id/reconnect">{({ id }) => <Reconnect key={id} id={id} />}</Route>
            <Route path="/connections/:id">{({ id }) => <ConnectionPage key={id} id={id} />}</Route>
            <Route path="/keys" component={Keys} />
            <Route path="/logs" component={Logs} />
            <Route path="/playground" component={Playground} />
            <Route path="/clients" component={Clients} />
            <Route path="/clients/:id">{({ id }) => <ClientPage key={id} id={id} />}</Route>
            <Route path="/members" component={Members} />
            <Route path="/settings" component={Settings} />
            <Route component={NotFound} />
          </Switch>
        </Frame>
      </SessionGate>
    </Router>
  </QueryClientProvider>
)
