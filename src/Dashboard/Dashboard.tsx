import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { Link, Route, Router, Switch } from "wouter"
import type { Route as PageRoute } from "./Frame/FeaturePages.ts"
import { Frame } from "./Frame/Frame.tsx"
import { lazyRoute } from "./Frame/LazyPage.tsx"
import { featureRoutes } from "./Frame/ServedPages.ts"
import { Overview } from "./Pages/Overview/Overview.tsx"
import { Page } from "./Parts/Page.tsx"
import { isUnavailable, ServiceError } from "./Service/Service.ts"
import { SessionGate } from "./Session/SessionGate.tsx"

const routes: ReadonlyArray<PageRoute> = [
  ...featureRoutes,
  { path: "/", page: Overview },
  lazyRoute("/connections", async () => (await import("./Pages/Connections/Connections.tsx")).Connections),
  lazyRoute("/connections/connect", async () => (await import("./Pages/Connections/Connect.tsx")).Connect),
  lazyRoute("/connections/:id/reconnect", async () => (await import("./Pages/Connections/Reconnect.tsx")).Reconnect),
  lazyRoute("/connections/:id", async () => (await import("./Pages/Connections/ConnectionPage.tsx")).ConnectionPage),
  lazyRoute("/keys", async () => (await import("./Pages/Keys/Keys.tsx")).Keys),
  lazyRoute("/logs", async () => (await import("./Pages/Logs/Logs.tsx")).Logs),
  lazyRoute("/playground", async () => (await import("./Pages/Playground/Playground.tsx")).Playground),
  lazyRoute("/clients", async () => (await import("./Pages/Clients/Clients.tsx")).Clients),
  lazyRoute("/clients/:id", async () => (await import("./Pages/Clients/ClientPage.tsx")).ClientPage),
  lazyRoute("/members", async () => (await import("./Pages/Members/Members.tsx")).Members),
  lazyRoute("/settings", async () => (await import("./Pages/Settings/Settings.tsx")).Settings)
]

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
            {routes.map(({ page: Shown, path }) => (
              <Route<{ readonly id?: string }> key={path} path={path}>
                {({ id = "" }) => <Shown key={id} id={id} />}
              </Route>
            ))}
            <Route component={NotFound} />
          </Switch>
        </Frame>
      </SessionGate>
    </Router>
  </QueryClientProvider>
)
