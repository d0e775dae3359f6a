import { useQueryClient } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Route, Switch } from "wouter"
import { ErrorNotice } from "../Parts/ErrorNotice.tsx"
import { loadLater } from "../Parts/LoadLater.tsx"
import { Mark } from "../Parts/Mark.tsx"
import { useServiceMutation, useServiceQuery } from "../Service/Queries.ts"
import { applicationName, featuresOff } from "../Service/ServedPage.ts"
import { isUnavailable } from "../Service/Service.ts"
import { ReturnToPage, usePageToReturnTo } from "./ReturnToPage.tsx"
import { SessionProvider } from "./Session.tsx"

const OpenLink = loadLater(async () => (await import("./OpenLink.tsx")).OpenLink, <div className="door" />)
const SignIn = loadLater(async () => (await import("./SignIn.tsx")).SignIn, <div className="door" />)

const NoSignIn = () => (
  <main className="door">
    <Mark size={40} />
    <h1>{applicationName}</h1>
    <p className="muted">
      Nobody can sign in to this service. Manage it with <code>oa</code> or over the API, with the admin token.
    </p>
  </main>
)

export const SessionGate = ({ children }: { readonly children: ReactNode }) =>
  featuresOff.includes("sign_in") ? <NoSignIn /> : (
    <Switch>
      <Route path="/link" component={OpenLink} />
      <Route>
        <SignedInOnly>{children}</SignedInOnly>
      </Route>
    </Switch>
  )

const SignedInOnly = ({ children }: { readonly children: ReactNode }) => {
  const queries = useQueryClient()
  const session = useServiceQuery(["session"], ({ session }) => session.get(), { live: true })
  const signOut = useServiceMutation(({ session }) => session.signOut(), [])
  const next = usePageToReturnTo()
  if (session.error?.code === "unauthenticated") {
    return <SignIn onSignedIn={() => queries.resetQueries()} />
  }
  if (session.data && next !== undefined) return <ReturnToPage page={next} />
  if (session.data) {
    const { member, methods } = session.data
    return (
      <SessionProvider
        value={{
          member,
          methods,
          isAdmin: member.role === "admin",
          isOffline: session.failureReason !== null && isUnavailable(session.failureReason),
          signOut: () => signOut.mutate(undefined, { onSuccess: () => queries.resetQueries() })
        }}
      >
        {children}
      </SessionProvider>
    )
  }
  return <div className="door">{session.error && <ErrorNotice error={session.error} isRead />}</div>
}
